import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql'
import { leadStreams } from '../../../lead/lead.ts'
import type { OpenPeer } from '../peers.ts'

/** emmett with its own pool: one stream per lead, which must not exist yet, as in this product's append. */
export const openPeer: OpenPeer = async (databaseUrl, event) => {
  const store = getPostgreSQLEventStore(databaseUrl)
  await store.schema.migrate()
  return {
    name: 'emmett',
    write: () => {
      const { type, data, subjectId, personal } = event()
      const events = [{ type, data: { ...data, ...personal } }]
      return store.appendToStream(leadStreams.of(subjectId), events, { expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' })
    },
    close: () => store.close(),
  }
}
