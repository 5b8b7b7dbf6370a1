import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { TimelineEntry } from '../../../events/lead/person-wire.ts'
import type { Lead } from '../../../events/lead/wire.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { A_FORMER_COLLEAGUE } from '../../../events/staff/staff.ts'
import type { Me } from '../../../events/staff/wire.ts'
import { useMe } from '../../staff/account.ts'
import { momentOf } from '../../staff/day.ts'
import { useReachesPeople } from '../../staff/emails.ts'
import { ANSWER_PANEL } from '../../staff/leads/address.ts'
import { showOwnership } from '../../staff/leads/change/ownership.ts'
import { filledFor, ownEmailTo } from '../../staff/leads/contact/answer.ts'
import { CallLink, WhatsAppLink } from '../../staff/leads/contact/contact-links.tsx'
import { LogCall, usePressContact } from '../../staff/leads/contact/log-contact.tsx'
import { aboutLead } from '../../staff/leads/list/groups.ts'
import { hasBounced } from '../../staff/leads/shown/labels.ts'
import { emailDraft, useHasEmailDraft } from '../../staff/leads/shown/lead-drafts.tsx'
import { FetchFailure, Placeholder } from '../../staff/placeholder.tsx'
import { useSettings } from '../../staff/settings.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { MailIcon } from '../../ui/icons.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { isAnswer } from './answer-kinds.ts'
import { EmailForm } from './email-form.tsx'
import { OtherAnswer } from './other-answer.tsx'
import { focusPanel, Panel } from './panel.tsx'

type Props = {
  lead: Lead
  /** The events so far; undefined until they are known. */
  timeline: readonly TimelineEntry[] | undefined
  /** The lead, and those that were merged into it: replies may have gone to their addresses. */
  ownIds: ReadonlySet<string>
  onAnswered: (lead?: Lead) => void
}

const answersOf = ({ timeline, ownIds }: Pick<Props, 'timeline' | 'ownIds'>) =>
  timeline?.filter((entry) => !entry.isUndone && ownIds.has(entry.leadId ?? '') && isAnswer(entry))

const lastAnswerOf = (props: Pick<Props, 'timeline' | 'ownIds'>) => answersOf(props)?.at(-1)

/** A reply by email that reached no inbox, to be written again to another address; undefined if there is none. */
const failedOf = ({ lead, ...props }: Props) => {
  const last = lead.emailFailedAt ? lastAnswerOf(props) : undefined
  if (last?.kind !== 'answer_email' || !last.data.text) return undefined
  return { name: 'The email that failed', subject: String(last.data.subject), text: String(last.data.text) }
}

/** The advice about an email that reached no inbox. */
const adviceFor = (last: TimelineEntry, lead: Lead) =>
  last.data.to === lead.email
    ? ': correct the address below and write again, or call.'
    : '. The address has been corrected since: write again.'

/** Reports at once that an email bounced while the lead is on the screen: the earlier statement about it was wrong. */
const useFailureToast = (lead: Lead) => {
  const { email, emailFailedAt } = lead
  const about = useEffectEvent(() => aboutLead(lead))
  const known = useRef(emailFailedAt)
  useEffect(() => {
    if (emailFailedAt && emailFailedAt !== known.current) {
      const description = `It was for ${email}.`
      toast({ title: 'The email did not arrive', about: about(), description, variant: 'destructive' })
    }
    known.current = emailFailedAt
  }, [email, emailFailedAt])
}

/** The last reply and its sender, so that two do not write the same: a colleague may be a minute ahead. */
const LastAnswer = ({ last, lead }: { last: TimelineEntry | undefined; lead: Lead }) => (
  <p role="status" css={{ marginTop: last ? space.base : 0, color: colour.soft, fontSize: type.small }}>
    {last &&
      `${last.kind === 'chat_answer' ? 'Answered in the chat' : lead.answeredAt ? 'Last answered' : 'Last contact'} by ${last.by ?? A_FORMER_COLLEAGUE}, ${momentOf(last.timestamp)}`}
    {last?.kind === 'answer_email' && lead.emailFailedAt && `. That email did not arrive${adviceFor(last, lead)}`}
  </p>
)

/**
 * Reports that an email to the lead's current address reached no inbox. If that was a reply, the line below the ways to
 * reply says more.
 */
const Bounced = ({ lead, ...props }: Pick<Props, 'lead' | 'timeline' | 'ownIds'>) => {
  const isShownBelow = lead.emailFailedAt && lastAnswerOf(props)?.kind === 'answer_email'
  if (isShownBelow || !lead.email || !props.timeline || !hasBounced(props.timeline, lead.email)) return null
  return (
    <p css={{ marginBottom: space.snug, color: colour.bad, fontWeight: 600 }}>
      An email to this address failed: check it, or call.
    </p>
  )
}

type OwnProgramProps = {
  lead: Lead
  settings: Settings
  fill: (text: string) => string
  isUnknown: boolean
}

/**
 * Opens the email in the staff member's own mail program, if no mail server is set or if that is unknown. The site
 * cannot know whether it was sent: a toast offers to log it.
 */
const OwnProgram = ({ lead, settings, fill, isUnknown }: OwnProgramProps) => {
  const press = usePressContact()
  const { subject, href } = ownEmailTo(lead, settings.answerTemplates.emails, fill)
  return (
    <>
      <ButtonLink look="outline" href={href} onClick={press(lead, 'email', subject)}>
        <MailIcon />
        Email in your own program
      </ButtonLink>
      <p css={{ flexBasis: '100%', color: colour.soft, fontSize: type.small }}>
        {isUnknown
          ? 'Whether this site can send emails to people is not known here. Email shows what has gone out.'
          : 'This site has no mail server, so it can’t send your emails.'}
      </p>
    </>
  )
}

const Ways = ({ lead, settings, me, ...props }: Props & { settings: Settings; me: Me }) => {
  const isLinked = `#${ANSWER_PANEL}` === useLocation().hash
  const wantsFocus = useRef(isLinked)
  const [draft] = useState(() => emailDraft(me.id, lead.id))
  const [isOpen, setWriting] = useState(() => isLinked || draft.read() !== undefined)
  const hasDraft = useHasEmailDraft(lead.id)
  const reachesPeople = useReachesPeople()
  const isUnknown = reachesPeople === 'unknown'
  const canWrite = Boolean(lead.email) && (reachesPeople === true || isUnknown)
  const isWriting = isOpen && canWrite
  const fill = filledFor(lead, me)
  const failed = failedOf({ lead, ...props })
  const write = () => {
    wantsFocus.current = !isWriting
    setWriting(true)
  }
  const takeFocusRequest = () => {
    const was = wantsFocus.current
    wantsFocus.current = false
    return was
  }
  const close = () => {
    setWriting(false)
    focusPanel(ANSWER_PANEL)
  }
  const onSent = (answered: Lead) => {
    close()
    const title = 'Email on its way'
    if (lead.ownerId === null && answered.ownerId === me.id) {
      showOwnership(answered, { title, onLeft: () => props.onAnswered() })
    } else toast({ title, variant: 'default' })
    props.onAnswered(answered)
  }
  return (
    <>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        {canWrite && (
          <Button look={isWriting || isUnknown ? 'outline' : 'solid'} aria-expanded={isWriting} onClick={write}>
            <MailIcon />
            {hasDraft && !isWriting ? 'Continue your email' : 'Write an email'}
          </Button>
        )}
        <WhatsAppLink lead={lead} isLarge />
        <CallLink lead={lead} isLarge />
        {lead.phone && <LogCall lead={lead} />}
        {lead.email && (reachesPeople === false || isUnknown) && (
          <OwnProgram lead={lead} settings={settings} fill={fill} isUnknown={isUnknown} />
        )}
      </div>
      {isWriting && (
        <EmailForm
          // the failed email may be known a moment later, and is the starting text; a draft stays
          key={failed?.text}
          lead={lead}
          draft={draft}
          templates={failed ? [failed, ...settings.answerTemplates.emails] : settings.answerTemplates.emails}
          fill={fill}
          takeFocusRequest={takeFocusRequest}
          answers={answersOf(props)}
          onSent={onSent}
          onClose={close}
          onOpen={() => setWriting(true)}
        />
      )}
    </>
  )
}

/** The ways to reply to a lead from here. The first reply stops its clock. */
export const AnswerPanel = (props: Props) => {
  const { data: settings, error, mutate } = useSettings()
  const { data: me } = useMe()
  useFailureToast(props.lead)
  const last = lastAnswerOf(props)
  return (
    <Panel id={ANSWER_PANEL} title="Answer">
      <OtherAnswer lead={props.lead} timeline={props.timeline ?? []} last={last} />
      <Bounced {...props} />
      {error && !settings && <FetchFailure title="Error loading the templates" error={error} retry={() => mutate()} />}
      {(!settings || !me) && !error && <Placeholder title="Loading the templates..." />}
      {settings && me && <Ways {...props} settings={settings} me={me} />}
      <LastAnswer last={last} lead={props.lead} />
    </Panel>
  )
}
