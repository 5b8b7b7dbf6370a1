import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { ClientFrame } from '../../../events/chat/client-frames.ts'
import type { ServerFrame } from '../../../events/chat/server-frames.ts'
import { eventually, STAFF, type TestNode } from '../../../events/testing/node.ts'
import type { TestSite } from './site.ts'

/** A staff member, connected to one node. */
export type TestStaff = {
  frames: ServerFrame[]
  /** The id of the session that a visitor of this name has started. */
  sessionOf: (visitorName: string) => Promise<string>
  /** The texts of a session's visitor, in the order of arrival. */
  textsOf: (sessionId: string) => string[]
  send: (frame: ClientFrame) => void
  answer: (sessionId: string, message: string) => Promise<void>
  close: () => void
}

/** The cookie of a staff session; `origin` is the address of the pages. */
export const signInAt = async (node: TestNode, origin: string) => {
  const response = await node.post('/api/login', STAFF, { origin })
  if (response.status !== 204) throw new Error(`Signing in answered ${response.status}: ${await response.text()}`)
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** A staff page in a browser context of its own, signed in by the API. */
export const openStaffPage = async (site: TestSite, path: string) => {
  const page = await site.openPage({ path: 'about:blank' })
  const [name = '', value = ''] = (await signInAt(site.nodes[0], site.url)).split('=')
  await page.context().addCookies([{ name, value, url: site.url }])
  await page.goto(path)
  return page
}

/** Signs in and joins as staff. */
export const openTestStaff = async (node: TestNode, origin: string): Promise<TestStaff> => {
  const cookie = await signInAt(node, origin)
  const socket = new WebSocket(`${node.url.replace('http', 'ws')}/ws`, { headers: { origin, cookie } })
  const frames: ServerFrame[] = []
  socket.on('message', (data) => frames.push(JSON.parse(data.toString())))
  socket.on('error', () => {})
  await once(socket, 'open')
  const send = (frame: ClientFrame) => socket.send(JSON.stringify(frame))
  send({ type: 'join_admin' })
  const find = <Found>(look: (frame: ServerFrame) => Found | undefined) =>
    eventually(() => {
      for (const frame of frames) {
        const found = look(frame)
        if (found !== undefined) return found
      }
      throw new Error(`It has not come: ${JSON.stringify(frames.slice(-5))}`)
    })
  await find((frame) => (frame.type === 'active_sessions' ? frame : undefined))

  return {
    frames,
    sessionOf: (visitorName) =>
      find((frame) =>
        frame.type === 'new_chat_session' && frame.visitorName === visitorName ? frame.sessionId : undefined,
      ),
    textsOf: (sessionId) =>
      frames.flatMap((frame) =>
        frame.type === 'new_message' && frame.sessionId === sessionId && frame.senderType === 'visitor'
          ? [frame.message]
          : [],
      ),
    send,
    answer: async (sessionId, message) => {
      const clientMessageId = crypto.randomUUID()
      send({ type: 'send_message', sessionId, message, clientMessageId })
      await find(
        (frame) => (frame.type === 'message_accepted' && frame.clientMessageId === clientMessageId) || undefined,
      )
    },
    close: () => socket.terminate(),
  }
}
