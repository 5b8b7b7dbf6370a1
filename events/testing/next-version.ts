import * as v from 'valibot'
import { defineEvent, type EventDefinition } from '../base/definition.ts'
import { register } from '../catalogue.ts'
import { leadReleased } from '../lead/lead.ts'
import { leadsProjection } from '../lead/store/view.ts'

// For tests: turns this process into one of the product's next version. Each change is one that a developer would make
// in code.

/** An event that only the next version knows. */
const leadStarred = defineEvent({ type: 'LeadStarred', schemaVersion: 1, data: v.object({}), personal: null })

/** The current version of an event is an earlier one to the next version of the product. */
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

/** Maintains and reads the leads view in a higher version, which takes in the new type of event. */
export const raiseLeadsView = (): void => {
  const types: string[] = [...leadsProjection.types, leadStarred.type]
  Object.assign(leadsProjection, { version: leadsProjection.version + 1, types })
}
