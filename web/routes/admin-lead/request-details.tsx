import type { ReactNode } from 'react'
import { referenceOf } from '../../../events/base/reference.ts'
import { sourceInWords } from '../../../events/lead/labels.ts'
import type { Touch } from '../../../events/lead/touch.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import { receivedMoment } from '../../staff/leads/clock/received-in-words.ts'
import { leadCompany } from '../../staff/leads/list/groups.ts'
import { Answers, choicesOf } from '../../staff/leads/shown/answers.tsx'
import { Detail } from '../../staff/leads/shown/detail.tsx'
import { from, space } from '../../ui/theme.ts'

/** Describes how a visitor came: the campaign, the site that linked here, where the visit began. */
const touchInWords = (touch: Touch | null) => {
  if (!touch) return null
  const campaign = [touch.source, touch.medium, touch.campaign, touch.term, touch.content].filter(Boolean).join(' / ')
  return [campaign, touch.referrer && `from ${touch.referrer}`, touch.landingPage && `on ${touch.landingPage}`]
    .filter(Boolean)
    .join(', ')
}

/**
 * All data that the visitor sent, except for the message, which the page places itself: `children` are more details.
 * Optional fields that were left empty are not shown, except for the fields of every card.
 */
export const RequestDetails = (props: { lead: Lead; email: ReactNode; phone: ReactNode; children?: ReactNode }) => {
  const { lead, email, phone, children } = props
  return (
    <>
      <dl
        css={{
          display: 'grid',
          gap: space.base,
          gridTemplateColumns: '1fr',
          [from.medium]: { gridTemplateColumns: '1fr 1fr' },
        }}
      >
        <Detail name="Name">{lead.name}</Detail>
        <Detail name="Company">{leadCompany(lead)}</Detail>
        <Detail name="Email">{email}</Detail>
        <Detail name="Phone">{phone}</Detail>
        <Detail name="Source">{sourceInWords(lead.leadSource)}</Detail>
        <Detail name="Reference">{referenceOf(lead.id)}</Detail>
        <Detail name="Submitted">{receivedMoment(lead)}</Detail>
        <Answers answers={choicesOf(lead)} />
      </dl>
      <dl css={{ display: 'grid', gap: space.base, marginTop: space.base, ':empty': { display: 'none' } }}>
        <Answers
          answers={[
            ['Page', lead.pageUrl],
            ['First visit', touchInWords(lead.firstTouch)],
            ['Latest visit', touchInWords(lead.lastTouch)],
          ]}
        />
        {children}
      </dl>
    </>
  )
}
