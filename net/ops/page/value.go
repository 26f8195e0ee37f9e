package page

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"muster/components"
	"muster/ecs"
	"muster/net/replication/inspect"
)

// appendEntity writes an entity that was found, with its components in the order of the world's. What has no fields
// is written as one, of its own name.
func (p *Page) appendEntity(b []byte, of *World, l *inspect.Query) []byte {
	head, _ := json.Marshal(newThing(&l.At))
	b = append(b, head[:len(head)-1]...)
	name, _ := json.Marshal(p.called(l.Row.Components()))
	b = fmt.Appendf(b, `,"name":%s,"map":%d,"instance":%d,"tick":%d,"components":[`, name, of.Map.ID, of.Stats.Instance, l.Tick)
	for i, c := range l.Row.Components() {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"name":%q,"fields":`, c.Type().Name())
		if _, text := c.Addr().Interface().(fmt.Stringer); text || c.Kind() != reflect.Struct {
			b = append(appendValue(fmt.Appendf(b, `{%q:`, c.Type().Name()), c), '}')
		} else {
			b = appendStruct(b, c)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

// called is what an entity is called: a player by its name, a creature by that of its template.
func (p *Page) called(of []reflect.Value) (name string) {
	for _, c := range of {
		switch it := c.Addr().Interface().(type) {
		case *components.Name:
			return it.String()
		case *components.Object:
			if template := p.config.Defs.Creature(it.Entry); template != nil {
				name = template.Name
			}
		}
	}
	return name
}

// appendStruct writes the fields of a struct. What only pads is left out.
func appendStruct(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	first := true
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if name == "_" || name == "Padding" {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(strconv.AppendQuote(b, name), ':')
		b = appendValue(b, v.Field(i))
	}
	return append(b, '}')
}

// longArray is from how many elements on an array is written without the zeros at its end.
const longArray = 16

// appendValue writes one value of what components are made of. Words of 64 bits are text, as 0xf130…, an entity is
// its number, and a value with a String method is its text.
func appendValue(b []byte, v reflect.Value) []byte {
	if v.CanAddr() && v.Addr().CanInterface() {
		switch it := v.Addr().Interface().(type) {
		case *ecs.Entity:
			return strconv.AppendUint(b, uint64(it.ID()), 10)
		case fmt.Stringer:
			text, _ := json.Marshal(it.String())
			return append(b, text...)
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		return appendStruct(b, v)
	case reflect.Array:
		n := v.Len()
		for n > 0 && v.Len() >= longArray && v.Index(n-1).IsZero() {
			n--
		}
		b = append(b, '[')
		for i := range n {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, v.Index(i))
		}
		return append(b, ']')
	case reflect.Uint64:
		return fmt.Appendf(b, `"0x%x"`, v.Uint())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		return strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Int32:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Float32:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Appendf(b, `"%v"`, f)
		}
		return strconv.AppendFloat(b, v.Float(), 'g', -1, 32)
	}
	return fmt.Appendf(b, `"a %v"`, v.Kind())
}
