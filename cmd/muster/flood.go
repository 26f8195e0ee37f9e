package main

import "muster/net/gateway/session"

// A floodPolicy is a list of policies as session.ParsePolicies reads it.
type floodPolicy struct {
	policies [session.Classes]session.Policy
}

// UnmarshalText reads a list.
func (p *floodPolicy) UnmarshalText(text []byte) (err error) {
	p.policies, err = session.ParsePolicies(string(text))
	return err
}
