import { setTimeout as delay } from 'node:timers/promises'
import type { ChatNode, ChatPeer, Conversation } from './chat-tabs.ts'

const TEXT = 'Do you also build shops, and what would one with thirty products cost?'
const OPENED_AT_ONCE = 20
/** A message that has not arrived for so long never will: the run fails. */
const TIMEOUT_MS = 60_000

/** The latencies of the messages that arrived, in milliseconds, and how long it took in all, in seconds. */
export type Talk = { latencies: number[]; seconds: number }

/** Conversations that are open. */
export type Conversations = {
  /**
   * Each conversation sends its next message once the last one has arrived, from its two tabs in turn. With `perSecond`
   * all of them together send no more than that; without, each goes as fast as it can.
   */
  talk: (ms: number, perSecond?: number) => Promise<Talk>
  close: () => void
}

/** Opens conversations, each with a tab on two of the nodes, the next one on the next two. */
export const openConversations = async (
  peer: ChatPeer,
  count: number,
  nodes: readonly ChatNode[] = peer.nodes,
): Promise<Conversations> => {
  const arrivals = new Map<string, () => void>()
  const open: Conversation[] = []
  const nodeAt = (index: number) => nodes[index % nodes.length] as ChatNode
  let next = 0
  const openNext = async () => {
    while (next < count) {
      const number = next++
      open[number] = await peer.open(number, [nodeAt(number), nodeAt(number + 1)], (id) => arrivals.get(id)?.())
    }
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, openNext))
  let talks = 0

  const talk = async (ms: number, perSecond?: number): Promise<Talk> => {
    const latencies: number[] = []
    talks += 1
    const begin = performance.now()
    const pauseMs = perSecond === undefined ? 0 : (count / perSecond) * 1_000
    const converse = async (tabs: Conversation, number: number) => {
      if (pauseMs) await delay((pauseMs * number) / count)
      for (let said = 0; performance.now() - begin < ms; said += 1) {
        const id = `${talks}-${number}-${said}`
        const sent = performance.now()
        const arrived = new Promise<void>((resolve) => arrivals.set(id, resolve))
        tabs[said % 2]?.send(TEXT, id)
        await arrived
        arrivals.delete(id)
        const took = performance.now() - sent
        latencies.push(took)
        if (pauseMs > took) await delay(pauseMs - took)
      }
    }
    const late = Promise.withResolvers<never>()
    const complaint = `${peer.name}: a message did not arrive within ${TIMEOUT_MS / 1_000} s`
    const timer = setTimeout(() => late.reject(new Error(complaint)), ms + TIMEOUT_MS)
    await Promise.race([Promise.all(open.map(converse)), late.promise]).finally(() => clearTimeout(timer))
    return { latencies, seconds: (performance.now() - begin) / 1_000 }
  }

  return {
    talk,
    close: () => {
      for (const tab of open.flat()) tab.close()
    },
  }
}
