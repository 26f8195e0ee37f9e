package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"
)

// An Operation is a row of the list of what programs can ask a server for.
type Operation struct {
	Name, Method, Path string
	Doc                string // what it does, as in "create an account"
	// Request is a struct. A field is a part of the path if its tag in says path, one of the query if that says query, and
	// otherwise one of the body. Its JSON name is in the tag json, where omitempty is for what can be left out; what it is, in the
	// tag doc.
	Request reflect.Type
	Answer  reflect.Type // a struct
	serve   func(c *Control, w http.ResponseWriter, r *http.Request)
}

// Listed is an operation that another package serves.
func Listed[Q, A any](name, method, path, doc string) Operation {
	return Operation{Name: name, Method: method, Path: path, Doc: doc, Request: reflect.TypeFor[Q](), Answer: reflect.TypeFor[A]()}
}

// operation is one of a Control's.
func operation[Q, A any](name, method, path, doc string, do func(*Control, context.Context, *Q) (A, error)) Operation {
	o := Listed[Q, A](name, method, path, doc)
	o.serve = func(c *Control, w http.ResponseWriter, r *http.Request) {
		request := new(Q)
		if err := read(r, request); err != nil {
			c.fail(w, err)
			return
		}
		if answer, err := do(c, r.Context(), request); err != nil {
			c.fail(w, err)
		} else {
			writeJSON(w, http.StatusOK, answer)
		}
	}
	return o
}

// waiting is an operation whose answer may take long.
func waiting(o Operation) Operation {
	serve := o.serve
	o.serve = func(c *Control, w http.ResponseWriter, r *http.Request) {
		unhurried(w)
		serve(c, w, r)
	}
	return o
}

// maxBody bounds the body of a request, in bytes.
const maxBody = 16 << 10

// read reads a request.
func read(r *http.Request, into any) error {
	text, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case err != nil:
		return malformed("the body is not whole")
	case len(text) > maxBody:
		return malformed(fmt.Sprintf("a body has at most %d bytes", maxBody))
	}
	var given map[string]json.RawMessage
	if len(bytes.TrimSpace(text)) > 0 {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := errors.Join(d.Decode(into), json.Unmarshal(text, &given)); err != nil {
			return malformed(unread(err))
		}
	}
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, optional := jsonName(f)
		part := ""
		switch f.Tag.Get("in") {
		case "path":
			part = r.PathValue(name)
		case "query":
			part = r.URL.Query().Get(name)
		default:
			if _, ok := given[name]; !ok && !optional {
				return malformed(name + " is missing")
			}
			continue
		}
		if part == "" && optional {
			continue
		}
		if err := set(v.Field(i), part); err != nil {
			return malformed(name + ": " + err.Error())
		}
	}
	return nil
}

// set reads a part of a path or of a query.
func set(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		n, err := strconv.ParseUint(text, 0, v.Type().Bits())
		if err != nil {
			return fmt.Errorf("%.40q is no number of %d bits", text, v.Type().Bits())
		}
		v.SetUint(n)
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%.40q is no whole number", text)
		}
		v.SetInt(int64(n))
	default:
		panic("control: a path has no " + v.Kind().String())
	}
	return nil
}

// jsonName is the name of a field, and whether it can be left out.
func jsonName(f reflect.StructField) (name string, optional bool) {
	name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, rest == "omitempty"
}

// Nothing is the answer of what has nothing to say, or the request of what needs nothing.
type Nothing struct{}

// unread says why the body of a request could not be read, in words of JSON.
func unread(err error) string {
	wrong := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &wrong) || wrong.Field == "" {
		return err.Error()
	}
	switch kind := wrong.Type; {
	case kind.Kind() >= reflect.Uint && kind.Kind() <= reflect.Uint64:
		return fmt.Sprintf("%s is a whole number from 0 to %d, not %s", wrong.Field, uint64(math.MaxUint64)>>(64-kind.Bits()), wrong.Value)
	case kind.Kind() >= reflect.Int && kind.Kind() <= reflect.Int64:
		return fmt.Sprintf("%s is a whole number of %d bits, not %s", wrong.Field, kind.Bits(), wrong.Value)
	}
	return fmt.Sprintf("%s cannot be a %s", wrong.Field, wrong.Value)
}
