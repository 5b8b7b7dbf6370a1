import type { ReactNode } from 'react'
import { referenceOf } from '../../../../events/base/reference.ts'
import type { Touch } from '../../../../events/lead/form/touch.ts'
import { sourceInWords } from '../../../../events/lead/labels.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { receivedMoment } from '../clock/received-in-words.ts'
import { leadCompany } from '../list/groups.ts'
import { Answers, choicesOf } from '../shown/answers.tsx'
import { Detail } from '../shown/detail.tsx'
import { facts } from './property.ts'

/** Describes how a visitor came: the campaign, the site that linked here, where the visit began. */
const touchInWords = (touch: Touch | null) => {
  if (!touch) return null
  const campaign = [touch.source, touch.medium, touch.campaign, touch.term, touch.content].filter(Boolean).join(' / ')
  return [campaign, touch.referrer && `from ${touch.referrer}`, touch.landingPage && `on ${touch.landingPage}`]
    .filter(Boolean)
    .join(', ')
}

/**
 * All data that the visitor sent, except for their message and how to reach them, which the page places itself:
 * `children` come first. Optional fields that were left empty are not shown, except for the fields of every card.
 */
export const RequestDetails = ({ lead, children }: { lead: Lead; children?: ReactNode }) => (
  <dl css={facts}>
    {children}
    <Detail name="Company">{leadCompany(lead)}</Detail>
    <Answers answers={choicesOf(lead)} />
    <Detail name="Source">{sourceInWords(lead.leadSource)}</Detail>
    <Detail name="Reference">{referenceOf(lead.id)}</Detail>
    <Detail name="Submitted">{receivedMoment(lead)}</Detail>
    <Answers
      answers={[
        ['Page', lead.pageUrl],
        ['First visit', touchInWords(lead.firstTouch)],
        ['Latest visit', touchInWords(lead.lastTouch)],
      ]}
    />
  </dl>
)
