import { type MouseEvent, useState } from 'react'
import { useLocation } from 'react-router'
import type { ContactChannel } from '../../../events/lead-answer.ts'
import type { Lead } from '../../../events/wire/lead.ts'
import type { TimelineEntry } from '../../../events/wire/person.ts'
import type { Settings } from '../../../events/wire/settings.ts'
import type { Me } from '../../../events/wire/staff.ts'
import { useMe } from '../../staff/account.ts'
import { useReachesPeople } from '../../staff/emails.ts'
import { ANSWER_PANEL } from '../../staff/leads/address.ts'
import { contactNoter, filledFor } from '../../staff/leads/answer.ts'
import { momentOf } from '../../staff/leads/day.ts'
import { dialOf, whatsappTo } from '../../staff/leads/dial.ts'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { reasonOf } from '../../staff/refusal.ts'
import { useSettings } from '../../staff/settings.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { MailIcon, PhoneIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { toast } from '../../ui/toast/toasts.ts'
import { EmailForm, emailDraft } from './email-form.tsx'
import { focusPanel, Panel } from './panel.tsx'

type Props = {
  lead: Lead
  timeline: readonly TimelineEntry[]
  /** The leads that have gone into others: answers may have gone to their addresses. */
  merged: readonly string[]
  onAnswered: (lead: Lead) => void
  onDirty: (isDirty: boolean) => void
}

const ANSWERS: readonly string[] = ['answer_email', 'whatsapp', 'call'] satisfies TimelineEntry['kind'][]

/** Who answered last, so that two do not write the same: a colleague may be a minute ahead. */
const LastAnswer = ({ lead, timeline, merged }: Pick<Props, 'lead' | 'timeline' | 'merged'>) => {
  const ids = [lead.id, ...merged]
  const last = timeline.findLast(({ kind, leadId }) => ids.includes(leadId ?? '') && ANSWERS.includes(kind))
  return (
    <p role="status" css={{ marginTop: last ? space.base : 0, color: colour.soft, fontSize: type.small }}>
      {last && `Last answered by ${last.by ?? 'a former colleague'}, ${momentOf(last.timestamp)}`}
    </p>
  )
}

/** WhatsApp and the telephone, one press each; that they were used is noted. A double click is one press. */
const Contacts = ({ lead, message, onAnswered }: Pick<Props, 'lead' | 'onAnswered'> & { message: string }) => {
  const [note] = useState(() => contactNoter(lead.id))
  const noteContact = async (channel: ContactChannel, text: string | null) => {
    try {
      onAnswered(await note(channel, text))
      if (channel === 'call') {
        document.getElementById('note')?.focus()
        toast({ title: 'Call noted', description: 'Add a note about what was said.', variant: 'default' })
      }
    } catch (error) {
      console.warn('The answer was not noted:', error)
      toast({ title: 'The answer was not noted', description: reasonOf(error), variant: 'destructive' })
    }
  }
  const press = (channel: ContactChannel, text: string | null) => (event: MouseEvent) => {
    if (event.detail > 1) event.preventDefault()
    else noteContact(channel, text)
  }
  const whatsapp = whatsappTo(lead.phone, message)
  return (
    <>
      {whatsapp && (
        <ButtonLink
          look="outline"
          href={whatsapp}
          target="_blank"
          rel="noreferrer"
          aria-label="WhatsApp (new tab)"
          onClick={press('whatsapp', message)}
        >
          <WhatsAppIcon />
          WhatsApp
        </ButtonLink>
      )}
      {lead.phone && (
        <ButtonLink look="outline" href={dialOf(lead.phone)} onClick={press('call', null)}>
          <PhoneIcon />
          Call
        </ButtonLink>
      )}
    </>
  )
}

type OwnProgramProps = { lead: Lead; settings: Settings; fill: (text: string) => string; isUnknown: boolean }

/**
 * Where no mail server is set, or nobody here can tell, one's own mail program writes the email: the site cannot know
 * whether it was sent.
 */
const OwnProgram = ({ lead, settings, fill, isUnknown }: OwnProgramProps) => {
  const [template] = settings.answerTemplates.emails
  const query = new URLSearchParams({ subject: fill(template?.subject ?? ''), body: fill(template?.text ?? '') })
  return (
    <>
      <ButtonLink look="outline" href={`mailto:${lead.email}?${query.toString().replaceAll('+', '%20')}`}>
        <MailIcon />
        Email in your own program
      </ButtonLink>
      <p css={{ flexBasis: '100%', color: colour.soft, fontSize: type.small }}>
        {isUnknown
          ? 'Whether this site can send emails to people is not known here. Email shows what has gone out. If you write in your own program, set the status then.'
          : 'This site has no mail server to write to people by. Set the status once you have written.'}
      </p>
    </>
  )
}

const Ways = ({ lead, settings, me, ...props }: Props & { settings: Settings; me: Me }) => {
  const isAskedFor = `#${ANSWER_PANEL}` === useLocation().hash
  const [draft] = useState(() => emailDraft(me.id, lead.id))
  const [isOpen, setWriting] = useState(() => isAskedFor || draft.read() !== undefined)
  const reachesPeople = useReachesPeople()
  const isUnknown = reachesPeople === 'unknown'
  const canWrite = Boolean(lead.email) && (reachesPeople === true || isUnknown)
  const isWriting = isOpen && canWrite
  const fill = filledFor(lead, me.displayName)
  const close = () => {
    setWriting(false)
    focusPanel(ANSWER_PANEL)
  }
  const onSent = (answered: Lead) => {
    close()
    toast({ title: 'Email on its way', variant: 'default' })
    props.onAnswered(answered)
  }
  return (
    <>
      <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        {canWrite && (
          <Button
            look={isWriting || isUnknown ? 'outline' : 'solid'}
            aria-expanded={isWriting}
            onClick={() => setWriting(true)}
          >
            <MailIcon />
            Write an email
          </Button>
        )}
        <Contacts lead={lead} message={fill(settings.answerTemplates.whatsapp)} onAnswered={props.onAnswered} />
        {lead.email && (reachesPeople === false || isUnknown) && (
          <OwnProgram lead={lead} settings={settings} fill={fill} isUnknown={isUnknown} />
        )}
      </div>
      {isWriting && (
        <EmailForm
          lead={lead}
          draft={draft}
          templates={settings.answerTemplates.emails}
          fill={fill}
          onDirty={props.onDirty}
          onSent={onSent}
          onClose={close}
        />
      )}
    </>
  )
}

/** The ways to answer a lead from here. The first answer stops its clock. */
export const AnswerPanel = (props: Props) => {
  const { data: settings, error, mutate } = useSettings()
  const { data: me } = useMe()
  return (
    <Panel id={ANSWER_PANEL} title="Answer">
      {error && !settings && <FetchFailure title="Error loading the templates" error={error} retry={() => mutate()} />}
      {(!settings || !me) && !error && <Notice title="Loading the templates..." />}
      {settings && me && <Ways {...props} settings={settings} me={me} />}
      <LastAnswer lead={props.lead} timeline={props.timeline} merged={props.merged} />
    </Panel>
  )
}
