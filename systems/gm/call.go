package gm

import (
	"errors"
	"fmt"

	"muster/ecs"
	"muster/net/protocol/command"
	"muster/sched"
)

// A call is a command to execute. System gmcommands emits it, and the system of the group that the command belongs to executes
// it in the same tick.
type call struct {
	t    sched.Tick
	by   ecs.Entity // the character of the game master; zero for an operator, whose commands about a character are refused earlier
	of   ecs.Entity // what the command is about, as its verb says
	name string     // of that
	self bool       // it is about the character itself, whatever that has selected
	verb *command.Verb
	args command.Args
	answer
}

// A verb is how a group executes a command: what the command is about, by default the game master, and what does it.
// An error of do is the answer; command.ErrSyntax is answered with the command's syntax.
type verb[G any] struct {
	path string
	of   subject
	do   func(*G, *call) error
}

// A subject finds what a command is about. It may take arguments for that.
type subject func(*GMCommands, *call) (ecs.Entity, error)

// subjects is what the commands of all groups are about.
var subjects = func() map[string]subject {
	of := make(map[string]subject)
	note(of, cheatCommands)
	note(of, events)
	note(of, figures)
	note(of, health)
	note(of, info)
	note(of, magic)
	note(of, modes)
	note(of, npcs)
	note(of, objects)
	note(of, places)
	return of
}()

func note[G any](of map[string]subject, verbs []verb[G]) {
	for _, v := range verbs {
		of[v.path] = v.of
	}
}

// A group is what the systems have in common that execute commands.
type group struct {
	calls   ecs.Events[call]
	answers ecs.Emit[answer]
}

// execute executes the commands of a group, and answers them.
func execute[G any](g *group, system *G, verbs []verb[G]) {
	calls := g.calls.All()
	for i := range calls {
		c := calls[i]
		for _, v := range verbs {
			if v.path == c.verb.Path {
				if c.fail(v.do(system, &c)); !c.elsewhere {
					g.answers.Emit(c.answer)
				}
			}
		}
	}
}

// fail has an error be the answer, if there is one.
func (c *call) fail(err error) {
	c.refused = err != nil
	if errors.Is(err, command.ErrSyntax) {
		c.lines = append(c.lines[:0], c.verb.Usage())
	} else if err != nil {
		c.lines = append(c.lines[:0], err.Error())
	}
}

// maxLines is the most lines of an answer.
const maxLines = 50

// say adds a line to the answer.
func (a *answer) say(format string, args ...any) {
	if len(a.lines) < maxLines {
		a.lines = append(a.lines, fmt.Sprintf(format, args...))
	}
}

// wait has a command answered when the result with a ticket comes, with what it was about.
func (a *answer) wait(name, what string) (ticket uint32) {
	a.later, a.subject, a.object = true, name, what
	return a.number
}

// usage is answered with the syntax of the command.
var usage = command.ErrSyntax

// look lists the names that contain the argument, with their numbers.
func (c *call) look(each func(found func(name string, what string))) error {
	part := c.args.Rest()
	if err := c.args.End(); err != nil || part == "" {
		return usage
	}
	n := 0
	each(func(name, what string) {
		if !contains(name, part) {
			return
		}
		if n++; n < maxLines {
			c.say("%s - %s", what, name)
		}
	})
	if n == 0 {
		c.say("There is nothing of that name.")
	}
	return nil
}
