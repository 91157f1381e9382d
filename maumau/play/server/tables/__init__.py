"""Tables at which people play over the network: kept in a store, run by clocks, pushed to each seat."""
