import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { messagesOf } from '../testing/fixtures/validation.ts'
import { chatActivityStreams } from './activity.ts'
import {
  type ChatSessionEvent,
  chatMessage,
  chatStreams,
  erasedSession,
  evolveChatSession,
  forVisitor,
  messageStreams,
  sessionIdOf,
  visitorJoin,
} from './chat.ts'
import { CLIENT_FRAMES } from './client-frames.ts'
import { chatEmailStreams } from './given-email.ts'
import { chatLinksStreams } from './links.ts'

const SESSION = randomUUID()

const recorded = (event: object) => ({
  position: 9,
  id: 'e1',
  stream: chatStreams.of(SESSION),
  version: 1,
  schemaVersion: 1,
  subjectId: SESSION,
  personal: null,
  recordedAt: new Date('2026-01-15T08:30:00.123Z'),
  ...event,
})

describe('a visitor who joins', () => {
  test('gives a name; the rest is optional, and the email address is not validated', () => {
    expect(v.parse(visitorJoin, { visitorName: ' Thandi ' })).toEqual({
      visitorName: 'Thandi',
      visitorEmail: null,
      pageUrl: null,
    })
    expect(v.parse(visitorJoin, { visitorName: 'T', visitorEmail: 'no address' })).toMatchObject({
      visitorEmail: 'no address',
    })
  })

  test.each([{}, { visitorName: '  ' }, { visitorName: null }])('is asked for a name after %j', (input) => {
    expect(messagesOf(visitorJoin, input)).toEqual([['visitorName', 'Please enter your name to start chatting.']])
  })
})

describe('a session', () => {
  const started = recorded({
    type: 'ChatStarted',
    data: {},
    personal: { visitorName: 'Thandi', visitorEmail: null, pageUrl: '/', userAgent: 'Test/1.0' },
  }) as ChatSessionEvent
  const ended = {
    ...recorded({ type: 'ChatEnded', data: { endedBy: 'admin' } }),
    recordedAt: new Date(0),
  } as ChatSessionEvent
  const active = {
    sessionId: SESSION,
    visitorName: 'Thandi',
    visitorEmail: null,
    pageUrl: '/',
    userAgent: 'Test/1.0',
    isActive: true,
    startTime: '2026-01-15T08:30:00.123Z',
    endTime: null,
  }

  test('is active from its start to its end', () => {
    const session = evolveChatSession(undefined, started)
    expect(session).toEqual(active)
    expect(evolveChatSession(session, ended)).toEqual({
      ...active,
      isActive: false,
      endTime: '1970-01-01T00:00:00.000Z',
    })
  })

  test('has the greeting that its visitor replied to, until it is erased', () => {
    const personal = { ...started.personal, greeting: 'Need a hand?' }
    const session = evolveChatSession(undefined, { ...started, personal } as ChatSessionEvent)
    expect(session).toEqual({ ...active, greeting: 'Need a hand?' })
    expect(session && erasedSession(session)).not.toHaveProperty('greeting')
  })

  test('cannot begin with its end', () => {
    expect(evolveChatSession(undefined, ended)).toBeUndefined()
  })

  test('continues without a name if its visitor was erased', () => {
    expect(evolveChatSession(undefined, { ...started, personal: null } as ChatSessionEvent)).toEqual({
      ...active,
      visitorName: 'Erased',
      pageUrl: null,
      userAgent: null,
    })
  })

  test('is found by any of its streams', () => {
    for (const streams of [chatStreams, messageStreams, chatActivityStreams, chatEmailStreams, chatLinksStreams]) {
      expect(sessionIdOf(streams.of(SESSION))).toBe(SESSION)
    }
  })
})

describe('a message', () => {
  const posted = recorded({
    type: 'ChatMessagePosted',
    stream: messageStreams.of(SESSION),
    version: 4,
    data: { senderType: 'admin' },
    personal: { senderName: 'Support Team', message: 'Hello', clientMessageId: null },
  }) as Parameters<typeof chatMessage>[0]

  test("has its stream's version as its sequence", () => {
    expect(chatMessage(posted)).toEqual({
      id: 'e1',
      sequence: 4,
      sessionId: SESSION,
      senderType: 'admin',
      senderName: 'Support Team',
      message: 'Hello',
      timestamp: '2026-01-15T08:30:00.123Z',
    })
  })

  test('has the id from its client, if there is one', () => {
    const own = { ...posted, personal: { senderName: 'Support Team', message: 'Hello', clientMessageId: 'm-1' } }
    expect(chatMessage(own)).toMatchObject({ clientMessageId: 'm-1' })
    expect(chatMessage(posted)).not.toHaveProperty('clientMessageId')
  })

  test('reaches its visitor without its author, and without fields of newer nodes', () => {
    const answer = { ...chatMessage(posted), by: 'u1', staffName: 'Thandi', addedLater: 'for staff' }
    expect(forVisitor(answer)).toEqual(chatMessage(posted))
    expect(forVisitor({ ...answer, clientMessageId: 'm-1' })).toHaveProperty('clientMessageId', 'm-1')
  })

  test('is empty once erased', () => {
    expect(chatMessage({ ...posted, personal: null })).toMatchObject({ senderName: 'Erased', message: '' })
  })
})

describe('a frame of a client', () => {
  const schemaOf = (type: string) => CLIENT_FRAMES.get(type) ?? v.never()

  test.each([
    { type: 'join_chat', visitorName: 'Thandi', visitorEmail: '', pageUrl: 'https://www.example.com/' },
    { type: 'join_chat', visitorName: 'Thandi', sessionId: SESSION, resumeToken: 'token', afterSequence: 0 },
    { type: 'send_message', sessionId: SESSION, message: 'x'.repeat(4_000), senderType: 'visitor', senderName: 'T' },
    { type: 'send_message', sessionId: SESSION, message: 'Hello', clientMessageId: 'm-1' },
    { type: 'typing', sessionId: SESSION, isTyping: true },
    { type: 'end_chat', sessionId: SESSION },
    { type: 'join_admin' },
    { type: 'join_admin', listed: [SESSION] },
    { type: 'get_messages', sessionId: SESSION },
    { type: 'open_chat', sessionId: SESSION, afterSequence: 3 },
    { type: 'open_chat', sessionId: null },
  ])('is taken: %j', (frame) => {
    expect(messagesOf(schemaOf(frame.type), frame)).toEqual([])
  })

  test('never names its sender', () => {
    const frame = { type: 'send_message', sessionId: SESSION, message: 'Hi', senderType: 'admin', senderName: 'Boss' }
    expect(v.parse(schemaOf(frame.type), frame)).toEqual({ type: 'send_message', sessionId: SESSION, message: 'Hi' })
  })

  test.each([
    [{ type: 'send_message', sessionId: SESSION, message: ' ' }, [['message', 'A message must not be empty']]],
    [
      { type: 'send_message', sessionId: SESSION, message: 'x'.repeat(4_001) },
      [['message', 'Must be at most 4000 characters']],
    ],
    [{ type: 'send_message', sessionId: null, message: 'Hello' }, [['sessionId', 'A sessionId is required']]],
    [{ type: 'get_messages', sessionId: '7' }, [['sessionId', 'A sessionId is a UUID']]],
    [{ type: 'join_chat' }, [['visitorName', 'Please enter your name to start chatting.']]],
  ])('is refused with what would do: %j', (frame, messages) => {
    expect(messagesOf(schemaOf(frame.type), frame)).toEqual(messages)
  })

  test.each([
    { type: 'send_message', message: 'Hello' },
    { type: 'typing', sessionId: SESSION, isTyping: 'yes' },
    { type: 'join_chat', visitorName: 'T', afterSequence: -1 },
    { type: 'join_chat', visitorName: 'T', afterSequence: 1e300 },
    { type: 'join_chat', visitorName: 'T', resumeToken: 'x'.repeat(201) },
  ])('is refused: %j', (frame) => {
    expect(messagesOf(schemaOf(frame.type), frame)).not.toEqual([])
  })
})
