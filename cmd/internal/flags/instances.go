package flags

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"muster/internal/limit"
	"muster/net/gateway/instances"
)

// maxInstances is how many instances a process can have at a time.
const maxInstances = 1000

// InstanceLimits lists what is bounded here.
func InstanceLimits() []limit.Limit {
	return []limit.Limit{
		{Name: "instances at a time that can be asked for", Value: maxInstances, Breach: "refused at the start", Test: "cmd/muster TestInstanceFlags"},
	}
}

// InstanceBounds bound instances: those of a server, or of a realm.
type InstanceBounds struct {
	Instances        int           `default:"16" placeholder:"N" help:"Instances of dungeons at a time, 0 for none (${default})."`
	InstancesPerHour int           `default:"5" placeholder:"N" help:"Different instances that the characters of an account may enter in an hour (${default})."`
	InstanceEmpty    time.Duration `default:"30m" placeholder:"D" help:"End an instance that has been empty for so long (${default})."`
}

// Check refuses what no instances can be made with.
func (f *InstanceBounds) Check() error {
	switch {
	case f.Instances < 0 || f.Instances > maxInstances:
		return fmt.Errorf("--instances is from 0 to %d, not %d", maxInstances, f.Instances)
	case f.InstancesPerHour < 1 || f.InstanceEmpty <= 0:
		return errors.New("--instances-per-hour is from 1 on, and --instance-empty above 0")
	}
	return nil
}

// Rules are the bounds.
func (f *InstanceBounds) Rules() instances.Rules {
	r := instances.Rules{Slots: f.Instances, PerHour: f.InstancesPerHour, Empty: f.InstanceEmpty}
	if r.Slots == 0 {
		r.Slots = -1
	}
	return r
}

// Args are the flags as another process of this program takes them.
func (f *InstanceBounds) Args() []string {
	return []string{"--instances", strconv.Itoa(f.Instances), "--instances-per-hour", strconv.Itoa(f.InstancesPerHour), "--instance-empty", f.InstanceEmpty.String()}
}
