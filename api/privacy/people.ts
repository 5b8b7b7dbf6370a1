import * as v from 'valibot'
import type { Sent } from '../../events/base/word.ts'
import { HELD_TITLES, reasonToStore } from '../../events/privacy/held.ts'
import { readEntries } from '../../events/privacy/store/entries.ts'
import { searchPeople } from '../../events/privacy/store/search.ts'
import { findPerson, readContact } from '../../events/privacy/store/subjects.ts'
import { foundPeople, HELD_GROUPS, heldPerson, SUBJECT_KINDS } from '../../events/privacy/wire.ts'
import { RequestError } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { searchTerm } from '../http/search-term.ts'
import { viewsAreUpToDate } from '../leads/erasable.ts'
import { retentionRoute } from './retention.ts'

/** How many entries of a group are sent, newest first: the export has all. */
const SHOWN_ENTRIES = 30

/** The kind of the id in the path. */
export const ofKind = v.object({ kind: v.picklist(SUBJECT_KINDS, `Must be one of: ${SUBJECT_KINDS.join(', ')}`) })

const people = route('GET', '/api/privacy/people', {
  access: 'owners',
  summary: 'Finds people by email address, telephone number, name or reference',
  query: v.object({ q: searchTerm }),
  answer: foundPeople,
  handler: ({ node, query: { q } }) => searchPeople(node.reading, q),
})

const onePerson = route('GET', '/api/privacy/people/:id', {
  access: 'owners',
  summary: 'Everything that is held about a person',
  query: ofKind,
  answer: heldPerson,
  handler: async ({ node, params: { id }, query: { kind } }) => {
    const upTo = await viewsAreUpToDate(node)
    const { reading, settings } = node
    const contact = await readContact(reading, { kind, id })
    if (!contact) throw new RequestError('not_found', 'There is nothing with this id')
    const person = await findPerson(reading, { kind, id })
    const { counts, entries } = await readEntries(reading, person, upTo)
    const groups = HELD_GROUPS.flatMap((group): Sent<typeof heldPerson>['groups'] => {
      const count = counts.get(group) ?? 0
      if (count === 0) return []
      const shown = entries.filter((entry) => entry.group === group).slice(0, SHOWN_ENTRIES)
      return [
        {
          group,
          title: HELD_TITLES[group],
          reason: reasonToStore(group, settings.current.retention),
          count,
          entries: shown.map(({ group: _, ...entry }) => entry),
        },
      ]
    })
    return {
      ...contact,
      leads: person.leadIds.length,
      chats: person.sessionIds.length,
      isErased: groups.length === 0,
      groups,
      others: person.others,
    }
  },
})

export const privacyRoutes = [people, onePerson, retentionRoute]
