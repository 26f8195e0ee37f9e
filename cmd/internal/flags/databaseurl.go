package flags

import (
	"net/url"
	"strings"
)

// IsDatabase reports whether text is a URL that package postgres is for.
func IsDatabase(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "postgres" || u.Scheme == "postgresql") && strings.HasPrefix(text, u.Scheme+"://")
}

// Shown is the URL of a database without its passwords.
func Shown(database string) string {
	if !IsDatabase(database) {
		return hidden
	}
	u, err := url.Parse(database)
	if err != nil {
		return hidden
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return hidden
	}
	query.Del("password")
	query.Del("sslpassword")
	u.RawQuery = query.Encode()
	return u.String()
}

// hidden is shown in place of what must not be.
const hidden = "(not shown)"
