import { expect, onTestFinished } from 'vitest'
import { chatsProjection } from '../../events/chat/store/view.ts'
import { type Lead, leadStreams } from '../../events/lead/lead.ts'
import { leadsProjection } from '../../events/lead/store/view.ts'
import { schemaOf } from '../../events/projections/projection.ts'
import { eventually } from '../../events/testing/node.ts'
import type { TestProduct } from '../../events/testing/product.ts'

const LEADS = schemaOf(leadsProjection)
const CHATS = schemaOf(chatsProjection)

/** Submits and erases leads on the first node of a product, as its owner unless other headers are given. */
export const openErasures = ({ node, sql }: Pick<TestProduct, 'node' | 'sql'>, owner: Record<string, string>) => {
  const submit = async (fields: object): Promise<Lead> => {
    const response = await node.post('/api/leads', { leadSource: 'hero_form', phone: '000 000 0000', ...fields })
    expect(response.status).toBe(201)
    return await response.json()
  }
  const get = async (path: string) => (await node.call(path, { headers: owner })).json()
  type EraseBody = { leadIds?: string[]; asOf?: number; chosenIds?: string[]; contracts?: 'keep' | 'erase' }
  const askToErase = (id: string, body: EraseBody = {}, headers: Record<string, string> = owner, on = node) =>
    on.post(`/api/leads/${id}/erase`, body, headers)
  /** Asks for an erasure, and asks again while workers do it. */
  const erase = async (id: string, headers: Record<string, string> = owner, body: EraseBody = {}) => {
    const requested = await askToErase(id, body, headers)
    if (requested.status !== 202) return requested
    return await eventually(async () => {
      const response = await askToErase(id, body, headers)
      expect([202, 503]).not.toContain(response.status)
      return response
    })
  }
  /** Makes Postgres refuse to erase a lead, and slow down for any other, until the returned function is called. */
  const hinderErasure = async (leadId: string, { sleepS = 0 } = {}) => {
    const relent = () => sql.unsafe('drop trigger if exists hinder on events; drop function if exists hinder')
    onTestFinished(async () => {
      await relent()
    })
    await sql.unsafe(`
      create function hinder() returns trigger language plpgsql as $$
        begin
          if new.stream = '${leadStreams.of(leadId)}' then raise check_violation using message = 'out of luck'; end if;
          perform pg_sleep(${sleepS});
          return new;
        end $$;
      create trigger hinder before insert on events for each row when (new.type = 'LeadErased') execute function hinder()`)
    return relent
  }

  /** Every text about leads and chats in the log and in the views. */
  const allTexts = async () => {
    const rows = await sql<{ text: string }[]>`
      select e::text as text from events e
      union all select l::text from ${sql(LEADS)}.leads l union all select e::text from ${sql(LEADS)}.entries e
      union all select s::text from ${sql(CHATS)}.sessions s union all select s::text from ${sql(CHATS)}.said s
      union all select a::text from ${sql(CHATS)}.addresses a union all select p::text from ${sql(CHATS)}.phones p`
    return rows.map(({ text }) => text).join('\n')
  }

  return { submit, get, askToErase, erase, hinderErasure, allTexts }
}
