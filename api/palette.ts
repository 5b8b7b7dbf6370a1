import { Hono } from 'hono'
import * as v from 'valibot'
import { findChatsNamed } from '../events/projections/chat-list.ts'
import { countFlagged, findLeadsNamed } from '../events/projections/lead-palette.ts'
import type { palette } from '../events/wire/palette.ts'
import type { Sent } from '../events/wire/word.ts'
import { validate } from './body.ts'
import type { ApiNode } from './node.ts'
import { requireStaff, type StaffEnv } from './staff/staff.ts'

const MAX_LEADS = 8
const MAX_CHATS = 5
const MAX_TERM_CHARACTERS = 100

/** What `GET /api/palette` may be asked for. */
export const paletteQuery = v.object({
  q: v.pipe(
    v.string(),
    v.maxLength(MAX_TERM_CHARACTERS, `Must be at most ${MAX_TERM_CHARACTERS} characters`),
    v.transform((text) => text.toWellFormed().replaceAll('\0', '').trim()),
  ),
})

const NOTHING: Sent<typeof palette> = { leads: [], flagged: 0, chats: [] }

/** `GET /api/palette?q=`: what staff may mean by a few letters, asked at every key. */
export const paletteRoutes = (node: ApiNode) =>
  new Hono<StaffEnv>().get('/', requireStaff(node), async (c) => {
    const { q } = validate(paletteQuery, c.req.query())
    if (q === '') return c.json(NOTHING)
    const [leads, flagged, chats] = await Promise.all([
      findLeadsNamed(node.reading, q, MAX_LEADS),
      countFlagged(node.reading, q),
      findChatsNamed(node.reading, q, MAX_CHATS),
    ])
    const found: Sent<typeof palette> = {
      leads: leads.map(({ id, name, businessName, company, leadSource, followUpStatus, timestamp }) => ({
        id,
        name,
        businessName,
        company,
        leadSource,
        followUpStatus,
        timestamp,
      })),
      flagged,
      chats: chats.map(({ sessionId, visitorName, isActive, startTime }) => ({
        sessionId,
        visitorName,
        isActive,
        startTime,
      })),
    }
    return c.json(found)
  })
