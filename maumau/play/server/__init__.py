"""Games that are played in the browser: a server on the loopback address steps the machines, the page shows them."""
