package main

import "time"

// drainTime is how long players have to leave, and to be saved, when the realm ends. What is left then is cut
// off.
const drainTime = 30 * time.Second
