import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { leadForm } from '../../lead/form/form.ts'
import { leadStreams, submitLead } from '../../lead/lead.ts'

/** A form as a visitor sends it. */
export const LEAD_FORM = {
  name: 'Thandi Nkosi',
  email: 'thandi@bakery.example',
  phone: '082 123 4567',
  company: 'Nkosi Bakery',
  message: 'We are a bakery in Soweto and want people to find our opening hours and order cakes online.',
  package: 'professional',
  timeline: '2-4weeks',
  leadSource: 'hero_form',
  pageUrl: 'https://www.example.com/',
}

/** The event of a form by a new person, validated. */
export const newLead = () => submitLead({ leadId: randomUUID(), form: v.parse(leadForm, LEAD_FORM) })

/** A request to append it. */
export const leadRequest = (event: ReturnType<typeof newLead>) => ({
  stream: leadStreams.of(event.subjectId),
  expectedVersion: 0,
  events: [{ id: randomUUID(), ...event }],
})
