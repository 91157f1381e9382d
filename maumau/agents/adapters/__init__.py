"""Games as environments of other libraries: PettingZoo, Gymnasium and OpenSpiel. Each needs the extra of its name."""
