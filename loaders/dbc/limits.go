package dbc

import "muster/internal/limit"

// Limits lists the limits of package dbc.
func Limits() []limit.Limit {
	const refused, test = "the start is refused", "loaders/dbc TestMalformed"
	return []limit.Limit{
		{Name: "a file of a client", Value: limit.Bytes(MaxFile), Breach: refused, Test: test},
		{Name: "records of a file of a client", Value: MaxRecords, Breach: refused, Test: test},
		{Name: "fields of a record", Value: MaxFields, Breach: refused, Test: test},
	}
}
