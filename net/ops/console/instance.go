package console

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"muster/net/gateway"
	"muster/net/gateway/instances"
)

// Instances is what a Console says and does of the instances of the server, or of the realm. *instances.Instances is one, and *instances.Client; the methods
// are described there.
type Instances interface {
	List(ctx context.Context) ([]string, error)
	Bound(ctx context.Context, guid uint64) ([]string, error)
	Unbind(ctx context.Context, guid uint64, id uint32, all bool, where uint32) (int, error)
	Bind(ctx context.Context, guid uint64, number uint32) error
}

const (
	errNoInstances Refusal = "This server has no instances."
	errNoInstance  Refusal = "There is no such instance: instance list has those that there are."
	errInstance    Refusal = "It takes no more characters."
)

// instanceOf ends the arguments with the name of a character, by default the selected one, or the caller's, and finds it.
func (c *Console) instanceOf(a *call) (p gateway.OnlinePlayer, err error) {
	name := cmp.Or(c.selected(a.by), a.by.Name)
	if a.args.Len() > 0 {
		name = a.args.Word()
	}
	if err := a.args.End(); err != nil {
		return p, err
	}
	if c.Instances == nil {
		return p, errNoInstances
	}
	p, ok := c.Realm.Find(name)
	if !ok {
		return p, Refusal(fmt.Sprintf("There is no %s in a world.", name))
	}
	return p, nil
}

func (c *Console) instanceList(ctx context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	if c.Instances == nil {
		return nil, errNoInstances
	}
	return c.Instances.List(ctx)
}

// instanceBinds lists the instances of a character.
//
// Source: HandleInstanceListBindsCommand, cs_instance.cpp, AzerothCore.
func (c *Console) instanceBinds(ctx context.Context, a *call) ([]string, error) {
	p, err := c.instanceOf(a)
	if err != nil {
		return nil, err
	}
	return c.Instances.Bound(ctx, p.GUID)
}

// instanceUnbind unbinds a character from its instances.
//
// Source: HandleInstanceUnbindCommand, cs_instance.cpp, AzerothCore.
func (c *Console) instanceUnbind(ctx context.Context, a *call) ([]string, error) {
	of := a.args.Word()
	id, err := strconv.ParseUint(of, 10, 32)
	if err != nil && of != "all" {
		return nil, Refusal(a.verb.Usage())
	}
	p, err := c.instanceOf(a)
	if err != nil {
		return nil, err
	}
	n, err := c.Instances.Unbind(ctx, p.GUID, uint32(id), of == "all", p.Map)
	if err != nil {
		return nil, err
	}
	return []string{fmt.Sprintf("instances unbound: %d", n)}, nil
}

func (c *Console) instanceEnter(ctx context.Context, a *call) ([]string, error) {
	number := uint32(a.args.Int(1, math.MaxUint32))
	p, err := c.instanceOf(a)
	if err != nil {
		return nil, err
	}
	switch err := c.Instances.Bind(ctx, p.GUID, number); {
	case errors.Is(err, instances.ErrUnknown):
		return nil, errNoInstance
	case errors.Is(err, gateway.AbortFull):
		return nil, errInstance
	case err != nil:
		return nil, err
	}
	return []string{fmt.Sprintf("%s enters instance %d the next time.", p.Name, number)}, nil
}
