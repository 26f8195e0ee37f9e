// Package streamlog keeps a world as the log of all that it reads, in a stream that several processes can reach: one of them
// appends and steps, others follow one step behind, and any can go on where it ends. A world is a function of what it reads, so the
// log is the world; snapshots bound how much of it is read again.
//
// Which process appends is decided by the stream alone. Each append names the last entry that its writer knows, and is refused if there is
// a later one: so a writer that was paused while another went on in its place finds out by its next append, and has sent
// nothing that the log has not.
//
// docs/adr/0031-worlds-in-a-stream.md has the reasons, docs/durability.md what is promised.
package streamlog

import (
	"context"
	"errors"
	"io"
	"time"
)

// ErrMoved is the error of an append to a log that has got another entry meanwhile: it has another writer.
var ErrMoved = errors.New("streamlog: the log has another writer")

// ErrRefused is the error of an append that the stream has answered, and not done: it is full, say, or gone.
var ErrRefused = errors.New("streamlog: the stream refuses")

// A Message is an entry of a log as the stream has it.
type Message struct {
	Number uint64 // ascending within a stream, not without gaps
	At     time.Time
	Body   []byte
}

// A Stream has logs, by subject, and snapshots, by name. Its methods may be called from any goroutine.
type Stream interface {
	// Append appends a message to a subject whose last message has the number last, 0 if there is none, and returns when it is
	// as safe as it will be. If there is another last message the error wraps ErrMoved, and ErrRefused if it was refused for another reason. After any other error it may have
	// been appended.
	Append(ctx context.Context, subject string, message []byte, last uint64) (number uint64, err error)
	// Last is the last message of a subject; its number is 0 if there is none.
	Last(ctx context.Context, subject string) (Message, error)
	// Now is the time by the clock that dates messages.
	Now(ctx context.Context) (time.Time, error)
	// Follow has take called with the messages of a subject from a number on, in order, until ctx is done.
	Follow(ctx context.Context, subject string, from uint64, take func(Message)) error
	// Purge removes the messages of a subject before a number; 0 removes all.
	Purge(ctx context.Context, subject string, before uint64) error

	// Put keeps a snapshot, wholly or not at all. It reads no more of it when it has returned.
	Put(ctx context.Context, name string, snapshot io.Reader) error
	Get(ctx context.Context, name string) ([]byte, error)
	// Names are those of the snapshots that begin with a prefix.
	Names(ctx context.Context, prefix string) ([]string, error)
	Delete(ctx context.Context, name string) error
}
