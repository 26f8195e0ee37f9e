package process

import "time"

// DrainTime is how long players have to leave, and to be saved, when the realm ends. What is left then is cut
// off.
const DrainTime = 30 * time.Second
