import * as v from 'valibot'
import { findChatsNamed } from '../events/chat/store/list.ts'
import { palette } from '../events/lead/screens/palette-wire.ts'
import { countFlagged, findLeadsNamed } from '../events/lead/store/palette.ts'
import { route } from './http/route.ts'

const MAX_LEADS = 8
const MAX_CHATS = 5
const MAX_TERM_CHARACTERS = 100

const paletteQuery = v.object({
  q: v.pipe(
    v.string(),
    v.maxLength(MAX_TERM_CHARACTERS, `Must be at most ${MAX_TERM_CHARACTERS} characters`),
    v.transform((text) => text.toWellFormed().replaceAll('\0', '').trim()),
  ),
})

/** The leads and chats that match a few letters, requested at every keystroke. */
export const paletteRoute = route('GET', '/api/palette', {
  access: 'staff',
  summary: 'Finds leads and chats by a few letters',
  query: paletteQuery,
  answer: palette,
  handler: async ({ node, query: { q } }) => {
    if (q === '') return { leads: [], flagged: 0, chats: [] }
    const [leads, flagged, chats] = await Promise.all([
      findLeadsNamed(node.reading, q, MAX_LEADS),
      countFlagged(node.reading, q),
      findChatsNamed(node.reading, q, MAX_CHATS),
    ])
    return {
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
  },
})
