import { sourceInWords } from '../../../events/lead-labels.ts'
import { referenceOf } from '../../../events/reference.ts'
import type { Touch } from '../../../events/touch.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import { Answers, choicesOf } from '../../staff/leads/answers.tsx'
import { momentOf } from '../../staff/leads/day.ts'
import { Detail } from '../../staff/leads/detail.tsx'
import { dialOf } from '../../staff/leads/dial.ts'
import { leadCompany } from '../../staff/leads/list.ts'
import { from, space } from '../../ui/theme.ts'
import { LongText } from './long-text.tsx'
import { Panel } from './panel.tsx'

/** How a visitor came, in words: the campaign, the site that linked here, where the visit began. */
const touchInWords = (touch: Touch | null) => {
  if (!touch) return null
  const campaign = [touch.source, touch.medium, touch.campaign, touch.term, touch.content].filter(Boolean).join(' / ')
  return [campaign, touch.referrer && `from ${touch.referrer}`, touch.landingPage && `on ${touch.landingPage}`]
    .filter(Boolean)
    .join(', ')
}

/** All that the visitor sent. What may be left out and was is not shown, but for the fields of every card. */
export const Facts = ({ lead }: { lead: Lead }) => (
  <Panel id="request" title="Request">
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
      <Detail name="Email">{lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>}</Detail>
      <Detail name="Phone">{lead.phone && <a href={dialOf(lead.phone)}>{lead.phone}</a>}</Detail>
      <Detail name="Source">{sourceInWords(lead.leadSource)}</Detail>
      <Detail name="Reference">{referenceOf(lead.id)}</Detail>
      <Detail name="Submitted">{momentOf(lead.timestamp)}</Detail>
      <Answers answers={choicesOf(lead)} />
    </dl>
    <dl css={{ display: 'grid', gap: space.base, marginTop: space.base }}>
      <Answers
        answers={[
          ['Page', lead.pageUrl],
          ['First visit', touchInWords(lead.firstTouch)],
          ['Latest visit', touchInWords(lead.lastTouch)],
        ]}
      />
      <Detail name="Message">{lead.message ? <LongText text={lead.message} what="message" /> : 'No message'}</Detail>
    </dl>
  </Panel>
)
