import { phoneLinks } from '../../events/base/phone.ts'
import type { Lead } from '../../events/lead/wire.ts'

/** A lead with every optional field empty, except the given ones. */
export const testLead = (more: Partial<Lead> = {}): Lead => ({
  id: 'a',
  name: 'Jane Doe',
  email: 'jane@example.com',
  phone: '0821234567',
  phoneLinks: phoneLinks(more.phone ?? '0821234567'),
  company: null,
  businessName: null,
  industry: null,
  package: null,
  message: null,
  timeline: null,
  leadSource: 'hero_form',
  pageUrl: null,
  agreedToTerms: null,
  firstTouch: null,
  lastTouch: null,
  timestamp: '2026-01-31T10:00:00.000Z',
  followUpStatus: 'new',
  conversionDate: null,
  projectValue: null,
  ownerId: null,
  nextActionDate: null,
  answeredAt: null,
  answeredBy: null,
  givenAnswers: [],
  emailStatus: null,
  version: 1,
  ...more,
})
