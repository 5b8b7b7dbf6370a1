import * as v from 'valibot'
import { defineEvent, type EventDefinition } from '../base/definition.ts'
import { register } from '../catalogue.ts'
import { leadReleased } from '../lead/lead.ts'
import { leadsProjection } from '../lead/store/view.ts'

// For tests: makes of this process one of the product's next version. Each change is what a developer would do in code.

/** An event that only the next version knows. */
const leadStarred = defineEvent({ type: 'LeadStarred', schemaVersion: 1, data: v.object({}), personal: null })

/** What this version knows of an event is an earlier version to the next one. */
const nextLeadReleased: EventDefinition = {
  ...leadReleased,
  schemaVersion: leadReleased.schemaVersion + 1,
  earlier: [{ ...leadReleased, upcast: (content) => content }],
}

/** Knows one more type of event, and one that this version declares in a higher version. */
export const learnEvents = (): void => {
  register(leadStarred)
  register(nextLeadReleased)
}

/** Keeps and reads the leads view in a higher version, which takes in the new type of event. */
export const raiseLeadsView = (): void => {
  const types: string[] = [...leadsProjection.types, leadStarred.type]
  Object.assign(leadsProjection, { version: leadsProjection.version + 1, types })
}
