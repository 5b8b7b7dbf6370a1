import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { HonoAdapter } from '@bull-board/hono'
import { serveStatic } from '@hono/node-server/serve-static'
import { Queue } from 'bullmq'
import { Hono } from 'hono'
import { withDeadline } from '../../events/stores/postgres/deadline.ts'
import { asConnection, QUEUES, queuePrefix } from '../../events/stores/redis/queues.ts'
import type { ApiNode } from '../node/node.ts'
import { QUEUE_BOARD_PATH } from './page.ts'

const OPEN_TIMEOUT_MS = 3_000

/** The queues and their descriptions, in the order in which owners see them. */
const DESCRIPTIONS: Record<string, string> = {
  [QUEUES.work]:
    'Reads the log on: views, emails, erasures; and does what is due from time to time, such as idle chats',
  [QUEUES.emailService]: 'Sends email through the form-to-email service',
  [QUEUES.emailSmtp]: 'Sends email through SMTP',
  [QUEUES.webhooks]: 'Sends leads and chats to other programs, by their webhooks',
}

/** Leaves the board's errors to the routes around it. */
const rethrow = (error: Error) => {
  throw error
}

class BoardAdapter extends HonoAdapter {
  override setErrorHandler() {
    return super.setErrorHandler(rethrow)
  }
}

const openQueue = ({ jobs, bus, logger }: ApiNode, name: string) => {
  // workers decide how many jobs a queue stores: the board only reads
  const queue = new Queue(name, {
    connection: asConnection(jobs),
    prefix: queuePrefix(bus.prefix),
    skipMetasUpdate: true,
  })
  queue.on('error', (error) => logger.warn({ err: error.message, queue: name }, 'queue'))
  return queue
}

const FONTS = { 'font-sans': 'system-ui, sans-serif', 'font-mono': 'ui-monospace, monospace' }

const asShown = (queue: Queue) =>
  new BullMQAdapter(queue, { description: DESCRIPTIONS[queue.name] ?? '', readOnlyMode: true })

/**
 * Opens Bull Board on the node's own connection, with its files from the package. Rejects within 3 s if Redis does not
 * respond; the caller need not close anything.
 */
export const openBoard = async (node: ApiNode): Promise<Hono> => {
  const queues = Object.keys(DESCRIPTIONS).map((name) => openQueue(node, name))
  await withDeadline(Promise.all(queues.map((queue) => queue.waitUntilReady())), { deadlineMs: OPEN_TIMEOUT_MS })
  const serverAdapter = new BoardAdapter(serveStatic)
  serverAdapter.setBasePath(QUEUE_BOARD_PATH)
  createBullBoard({
    serverAdapter,
    queues: queues.map(asShown),
    options: {
      uiConfig: {
        boardTitle: 'Queues',
        hideDocsLink: true,
        locale: { lng: 'en-GB' },
        miscLinks: [{ text: 'Back to the email screen', url: '/admin-email' }],
        theme: { light: FONTS, dark: FONTS },
      },
    },
  })
  const plugin = serverAdapter.registerPlugin()
  plugin.onError(rethrow)
  return new Hono({ strict: false }).route(QUEUE_BOARD_PATH, plugin).onError(rethrow)
}
