import { expect } from 'vitest'
import { eventually } from '../../../events/testing/node.ts'
import type { TestSite } from './site.ts'
import { signInAt } from './staff.ts'

/** A page with a greeting next to the chat button, which shows at once. */
export const GREETED = '/contract/premium'
export const GREETING = 'Questions about Premium? We answer in minutes.'

export const htmlOf = async ({ url }: TestSite, path: string) => await (await fetch(url + path)).text()

/** Sets the greeting, as an owner does, and waits until the page has it. */
export const setGreeting = async (site: TestSite) => {
  const [node] = site.nodes
  const greetings = [{ page: GREETED, afterSeconds: 0, text: GREETING, isAnyTime: true }]
  const saved = await node.call('/api/settings/chat-greetings', {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      'if-match': '"0"',
      origin: site.url,
      cookie: await signInAt(node, site.url),
    },
    body: JSON.stringify({ greetings }),
  })
  expect(saved.status).toBe(200)
  await eventually(async () => expect(await htmlOf(site, GREETED)).toContain('data-greeting'))
}
