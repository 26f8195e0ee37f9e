package natsbus

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"muster/net/replication/streamlog"
)

// StreamConfig says how the logs of a realm are kept, when they are made.
type StreamConfig struct {
	Realm    string // one token of a subject
	Replicas int    // 1 or 3: how many servers have what is acknowledged
	Memory   bool   // it is kept in memory instead of files
}

const bucketSuffix = "-snapshots"

const (
	// followAgain is how long after an interruption a stream is followed again, our own choice.
	followAgain = time.Second
	// goneTries is how often in a row a stream that was there may be said not to be, before it is taken to be gone, our own choice: with followAgain as
	// long as a writer asks for it (refusedTime of streamlog). Servers that have just begun may not know of it yet.
	goneTries = 15
	// consumerKept is how long a server keeps what it has for one that follows and asks no more, our own choice: twice the time for which a silent server is
	// waited for (Kept of cmd/internal/link). The library's is 5 min.
	consumerKept = 30 * time.Second
)

// requestTime is for how long JetStream may take to answer a request but an append where a context has no deadline, our own choice: the library's 5 s are less than a busy machine stands still.
const requestTime = 10 * time.Second

// A Stream has the logs of the worlds of a realm in JetStream, and their snapshots in an object store of it.
type Stream struct {
	js        jetstream.JetStream
	stream    jetstream.Stream
	snapshots jetstream.ObjectStore
	objects   jetstream.Stream // which that is made of
	name      string

	conn      *nats.Conn
	again     time.Duration // followAgain, but in tests
	answers   time.Duration // answerTime, but in tests
	appenders appenders
	done      []byte // how the answer to an append begins that is done, and repeats none: {"stream":"NAME","seq":1}
}

// newStream returns a stream that is not open.
func newStream(conn *nats.Conn, js jetstream.JetStream, realm string) *Stream {
	name := "muster-" + realm
	return &Stream{conn: conn, js: js, name: name, again: followAgain, answers: answerTime, done: fmt.Appendf(nil, `{"stream":%q,"seq":`, name)}
}

// Stream opens the stream of a realm, which it makes if there is none.
func (b *Bus) Stream(ctx context.Context, c StreamConfig) (*Stream, error) {
	js, err := jetstream.New(b.conn, jetstream.WithDefaultTimeout(requestTime))
	if err != nil {
		return nil, err
	}
	storage := jetstream.FileStorage
	if c.Memory {
		storage = jetstream.MemoryStorage
	}
	s := newStream(b.conn, js, c.Realm)
	s.stream, err = js.Stream(ctx, s.name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		s.stream, err = js.CreateStream(ctx, jetstream.StreamConfig{
			Name: s.name, Subjects: []string{"muster." + c.Realm + ".log.*.*"}, Storage: storage, Replicas: c.Replicas, AllowDirect: false,
		})
	}
	if err != nil {
		return nil, fmt.Errorf("the stream %s: %w", s.name, err)
	}
	return s, s.openSnapshots(ctx, func(bucket string) (jetstream.ObjectStore, error) {
		return js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: bucket, Storage: storage, Replicas: c.Replicas})
	})
}

// OpenStream opens the stream of a realm, which must be there.
func (b *Bus) OpenStream(ctx context.Context, realm string) (*Stream, error) {
	js, err := jetstream.New(b.conn, jetstream.WithDefaultTimeout(requestTime))
	if err != nil {
		return nil, err
	}
	s := newStream(b.conn, js, realm)
	if s.stream, err = js.Stream(ctx, s.name); err != nil {
		return nil, fmt.Errorf("the stream %s: %w", s.name, err)
	}
	return s, s.openSnapshots(ctx, nil)
}

// openSnapshots opens the object store of the stream, and makes it if it is not there, unless that is nil.
func (s *Stream) openSnapshots(ctx context.Context, make func(bucket string) (jetstream.ObjectStore, error)) (err error) {
	bucket := s.name + bucketSuffix
	s.snapshots, err = s.js.ObjectStore(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) && make != nil {
		s.snapshots, err = make(bucket)
	}
	if err == nil {
		s.objects, err = s.js.Stream(ctx, "OBJ_"+bucket)
	}
	if err != nil {
		return fmt.Errorf("the object store %s: %w", bucket, err)
	}
	return nil
}

// Last implements streamlog.Stream.
func (s *Stream) Last(ctx context.Context, subject string) (m streamlog.Message, err error) {
	raw, err := s.stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	return streamlog.Message{Number: raw.Sequence, At: raw.Time, Body: raw.Data}, nil
}

// Now implements streamlog.Stream: the time at which the server that leads the stream answers.
func (s *Stream) Now(ctx context.Context) (time.Time, error) {
	info, err := s.stream.Info(ctx)
	if err != nil {
		return time.Time{}, err
	}
	if info.TimeStamp.IsZero() { // it is older than nats-server 2.10
		return time.Time{}, errors.New("natsbus: the server does not say what time it is")
	}
	return info.TimeStamp, nil
}

// Follow implements streamlog.Stream. What interrupts it once it has begun, as a server that goes away does, is waited for, and a server that does not answer
// from the beginning; a stream that is gone for 15 s ends it. Where the library just makes its consumer anew as ctx is done, that is waited for, for 10 s at most.
func (s *Stream) Follow(ctx context.Context, subject string, from uint64, take func(streamlog.Message)) error {
	for begun, gone := false, 0; ; {
		messages, err := s.messages(ctx, subject, from)
		if err == nil {
			begun = true
			from, err = takeAll(ctx, messages, from, take)
			messages.Stop()
		}
		if gone++; !errors.Is(err, jetstream.ErrStreamNotFound) {
			gone = 0
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case !begun && !errors.Is(err, context.DeadlineExceeded), gone >= goneTries, s.conn.IsClosed():
			return err
		}
		select {
		case <-time.After(s.again):
		case <-ctx.Done():
		}
	}
}

// messages are those of a subject from a number on.
func (s *Stream) messages(ctx context.Context, subject string, from uint64) (jetstream.MessagesContext, error) {
	consumer, err := s.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subject}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: max(from, 1),
		MaxResetAttempts:  1, // between two the library waits, whether ctx is done or not
		InactiveThreshold: consumerKept,
	})
	if err != nil {
		return nil, err
	}
	return consumer.Messages()
}

// takeAll has take called with each message until one fails, and returns the number of the one after the last. Only the goroutine that asks for messages may
// stop them: where the library makes the consumer anew just then, it would stop the old one and wait for the new one for ever
// (orderedSubscription.resetMessages of nats.go v1.55.0).
func takeAll(ctx context.Context, messages jetstream.MessagesContext, from uint64, take func(streamlog.Message)) (next uint64, err error) {
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return from, err
		}
		meta, err := m.Metadata()
		if err != nil {
			return from, err
		}
		take(streamlog.Message{Number: meta.Sequence.Stream, At: meta.Timestamp, Body: m.Data()})
		from = meta.Sequence.Stream + 1
	}
}

// Purge implements streamlog.Stream.
func (s *Stream) Purge(ctx context.Context, subject string, before uint64) error {
	options := []jetstream.StreamPurgeOpt{jetstream.WithPurgeSubject(subject)}
	if before > 0 {
		options = append(options, jetstream.WithPurgeSequence(before))
	}
	return s.stream.Purge(ctx, options...)
}

// Put implements streamlog.Stream.
func (s *Stream) Put(ctx context.Context, name string, snapshot io.Reader) error {
	_, err := s.snapshots.Put(ctx, jetstream.ObjectMeta{Name: name}, snapshot)
	return err
}

// Get implements streamlog.Stream.
func (s *Stream) Get(ctx context.Context, name string) ([]byte, error) {
	return s.snapshots.GetBytes(ctx, name)
}

// Names implements streamlog.Stream. jetstream.ObjectStore.List ends with the message that is the last when it begins, and waits for that in vain if it is removed
// meanwhile.
func (s *Stream) Names(ctx context.Context, prefix string) (names []string, err error) {
	info, err := s.objects.Info(ctx, jetstream.WithSubjectFilter(s.object("*")))
	if err != nil {
		return nil, err
	}
	for subject := range info.State.Subjects {
		name, err := base64.URLEncoding.DecodeString(strings.TrimPrefix(subject, s.object("")))
		if err != nil || !strings.HasPrefix(string(name), prefix) {
			continue
		}
		is, err := s.isStored(ctx, string(name))
		if err != nil {
			return nil, err
		}
		if is {
			names = append(names, string(name))
		}
	}
	return names, nil
}

// isStored reports whether the object store has a snapshot that it had a moment ago, and which may be removed meanwhile. Of several replicas one that is behind
// the others may answer, and not have it yet: then the one that leads says whether it is gone.
func (s *Stream) isStored(ctx context.Context, name string) (bool, error) {
	info, err := s.snapshots.GetInfo(ctx, name, jetstream.GetObjectInfoShowDeleted())
	if !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err == nil && !info.Deleted, err
	}
	state, err := s.objects.Info(ctx, jetstream.WithSubjectFilter(s.object(encoded(name))))
	return err == nil && len(state.State.Subjects) > 0, err
}

// Subjects are those of the logs.
func (s *Stream) Subjects(ctx context.Context) (names []string, err error) {
	info, err := s.stream.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return nil, err
	}
	for name := range info.State.Subjects {
		names = append(names, name)
	}
	return names, nil
}

// Delete implements streamlog.Stream. It also removes the message that says that the snapshot was removed, which the object store would
// keep for ever.
func (s *Stream) Delete(ctx context.Context, name string) error {
	if err := s.snapshots.Delete(ctx, name); err != nil {
		return err
	}
	return s.objects.Purge(ctx, jetstream.WithPurgeSubject(s.object(encoded(name))))
}

// RemoveUnfinished removes what is left of snapshots whose writers ended in the midst of them: pieces that no snapshot has, and that came before a moment, by the clock of the
// server. It returns of how many snapshots there were any.
func (s *Stream) RemoveUnfinished(ctx context.Context, before time.Time) (removed int, err error) {
	pieces := "$O." + s.name + bucketSuffix + ".C."
	info, err := s.objects.Info(ctx, jetstream.WithSubjectFilter(pieces+"*"))
	if err != nil {
		return 0, err
	}
	of := info.State.Subjects
	names, err := s.Names(ctx, "") // after the pieces: one that is finished by now has its name
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		switch named, err := s.snapshots.GetInfo(ctx, name); {
		case errors.Is(err, jetstream.ErrObjectNotFound): // it was removed just now, and its pieces with it
		case err != nil:
			return 0, err
		default:
			delete(of, pieces+named.NUID)
		}
	}
	for subject := range of {
		last, err := s.objects.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && !last.Time.Before(before) {
			continue
		}
		if err == nil {
			err = s.objects.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		if err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// encoded is a name in base64, as the object store has it in subjects.
func encoded(name string) string { return base64.URLEncoding.EncodeToString([]byte(name)) }

// object is the subject of what the object store has of a snapshot whose name is this in base64: $O.BUCKET.M.NAME.
func (s *Stream) object(name string) string { return "$O." + s.name + bucketSuffix + ".M." + name }
