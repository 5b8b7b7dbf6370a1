import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'react-router'
import { MAX_ANSWER_CHARACTERS } from '../../../../events/email/written-email.ts'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { emailTemplates, whatsappText } from '../../../../events/settings/replies.ts'
import type { Settings } from '../../../../events/settings/wire.ts'
import { A_FORMER_COLLEAGUE } from '../../../../events/staff/staff.ts'
import type { Me } from '../../../../events/staff/wire.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { TextAreaField } from '../../../ui/form/field.tsx'
import { MailIcon, WhatsAppIcon } from '../../../ui/icons.tsx'
import { colour, space, type, unseen } from '../../../ui/theme.ts'
import { toast } from '../../../ui/toast/toasts.ts'
import { useMe } from '../../account/account.ts'
import { momentOf } from '../../day.ts'
import { useReachesPeople } from '../../email/emails.ts'
import { Pending } from '../../placeholder.tsx'
import { useSettings } from '../../settings/settings.ts'
import { ANSWER_PANEL, NOTE_FIELD } from '../address.ts'
import { showOwnership } from '../change/ownership.ts'
import { filledFor, ownEmailTo } from '../contact/answer.ts'
import { CallLink, whatsappTo } from '../contact/contact-links.tsx'
import { LogCall, useLoggedContacts, usePressContact } from '../contact/log-contact.tsx'
import { aboutLead } from '../list/groups.ts'
import { hasBounced } from '../shown/labels.ts'
import { emailDraft, noteDraft, useHasEmailDraft } from '../shown/lead-drafts.tsx'
import { isAnswer } from './answer-kinds.ts'
import { narrow } from './columns.tsx'
import { EmailForm } from './email-form.tsx'
import { NoteForm } from './note-form.tsx'
import { OtherAnswer } from './other-answer.tsx'

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
    ? ': correct the address and write again, or call.'
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
  <p role="status" css={{ color: colour.soft, fontSize: type.small, ':empty': { display: 'none' } }}>
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
  return <p css={{ color: colour.bad, fontWeight: 600 }}>An email to this address failed: check it, or call.</p>
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
  const { subject, href } = ownEmailTo(lead, emailTemplates(settings.replies), fill)
  return (
    <>
      <ButtonLink look="outline" href={href} onClick={press(lead, 'email', subject)}>
        <MailIcon />
        Open in your email app
      </ButtonLink>
      <p css={{ color: colour.soft, fontSize: type.small }}>
        {isUnknown
          ? 'Whether this site can send emails to people is not known here. Email shows what has gone out.'
          : 'This site has no mail server, so it can’t send your emails.'}
      </p>
    </>
  )
}

/** The message for WhatsApp, from the template until it is changed, and the link that opens it there. */
const WhatsApp = ({ lead, template }: { lead: Lead; template: string }) => {
  const [typed, setTyped] = useState<string>()
  const press = usePressContact()
  const text = typed ?? template
  return (
    <>
      <TextAreaField
        id="whatsapp-text"
        label="WhatsApp message"
        rows={3}
        dir="auto"
        maxLength={MAX_ANSWER_CHARACTERS}
        value={text}
        onChange={({ target }) => setTyped(target.value)}
        css={{ fieldSizing: 'content', maxHeight: '12rem' }}
      />
      <div>
        <ButtonLink
          href={whatsappTo(lead, text)}
          target="_blank"
          rel="noreferrer"
          aria-label="Open WhatsApp (new tab)"
          onClick={press(lead, 'whatsapp', text || null)}
        >
          <WhatsAppIcon />
          Open WhatsApp
        </ButtonLink>
      </div>
    </>
  )
}

/** A call and its log: the site cannot know whether they spoke. */
const Call = ({ lead }: { lead: Lead }) => (
  <>
    <p css={{ color: colour.soft, fontSize: type.small }}>The clock stops only when they got your answer.</p>
    <div css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
      <CallLink lead={lead} isLarge />
      <LogCall lead={lead} />
    </div>
  </>
)

const TABS = { note: 'Note', email: 'Email', whatsapp: 'WhatsApp', call: 'Call' } as const

type Tab = keyof typeof TABS

/** The ways to write to a lead's person: a flagged lead gets no reply before it is released. */
const tabsOf = (lead: Lead): Tab[] => [
  'note',
  ...(lead.email && !lead.suspicion ? (['email'] as const) : []),
  ...(lead.phoneLinks?.whatsapp && !lead.suspicion ? (['whatsapp'] as const) : []),
  ...(lead.phone && !lead.suspicion ? (['call'] as const) : []),
]

const Email = ({ lead, settings, me, isWriting, ...props }: EmailProps) => {
  const reachesPeople = useReachesPeople()
  const isUnknown = reachesPeople === 'unknown'
  const fill = filledFor(lead, me)
  const failed = failedOf({ lead, ...props })
  const emails = emailTemplates(settings.replies)
  const onSent = (answered: Lead) => {
    props.onClose()
    const title = 'Email on its way'
    if (lead.ownerId === null && answered.ownerId === me.id) {
      showOwnership(answered, { title, onLeft: () => props.onAnswered() })
    } else toast({ title })
    props.onAnswered(answered)
  }
  return (
    <>
      {(reachesPeople === true || isUnknown) && isWriting && (
        <EmailForm
          // the failed email may be known a moment later, and is the starting text; a draft stays
          key={failed?.text}
          lead={lead}
          draft={props.draft}
          templates={failed ? [failed, ...emails] : emails}
          fill={fill}
          takeFocusRequest={props.takeFocusRequest}
          answers={answersOf(props)}
          onSent={onSent}
          onClose={props.onClose}
          onOpen={props.onOpen}
        />
      )}
      {(reachesPeople === false || isUnknown) && (
        <OwnProgram lead={lead} settings={settings} fill={fill} isUnknown={isUnknown} />
      )}
    </>
  )
}

type EmailProps = Props & {
  settings: Settings
  me: Me
  isWriting: boolean
} & Pick<Parameters<typeof EmailForm>[0], 'draft' | 'takeFocusRequest' | 'onClose' | 'onOpen'>

/** Which tab is open. The address asks for one by its hash; an email that was begun is open again. */
const useTab = (leadId: string, accountId: string) => {
  const { hash, key } = useLocation()
  const asked: Tab | undefined = { [`#${ANSWER_PANEL}`]: 'email' as const, [`#${NOTE_FIELD}`]: 'note' as const }[hash]
  const [draft] = useState(() => emailDraft(accountId, leadId))
  const [tab, setTab] = useState<Tab>(() => asked ?? (draft.read() === undefined ? 'note' : 'email'))
  const [isWriting, setWriting] = useState(tab === 'email')
  const wantsFocus = useRef(asked === 'email')
  const [knownKey, setKnownKey] = useState(key)
  const [isOpen, setOpen] = useState(asked !== undefined || tab !== 'note' || noteDraft(accountId, leadId).isStored())
  const show = (next: Tab) => {
    setTab(next)
    setOpen(true)
    if (next === 'email') setWriting(true)
  }
  if (key !== knownKey) {
    setKnownKey(key)
    if (asked) show(asked)
  }
  return {
    draft,
    tab,
    isOpen,
    isWriting,
    fold: () => setOpen(false),
    show,
    /** Opens a tab by a press: its field takes the focus. */
    open: (next: Tab) => {
      wantsFocus.current = next === 'email' && !isWriting
      flushSync(() => show(next))
      document
        .getElementById({ note: NOTE_FIELD, email: 'email-text', whatsapp: 'whatsapp-text', call: '' }[next])
        ?.focus()
      // a low panel has no room for it under the properties
      document.getElementById(HEADING)?.parentElement?.scrollIntoView({ block: 'nearest' })
    },
    takeFocusRequest: () => {
      const was = wantsFocus.current
      wantsFocus.current = false
      return was
    },
    close: () => {
      setWriting(false)
      setTab('note')
      document.getElementById(HEADING)?.focus()
    },
  }
}

const HEADING = `${ANSWER_PANEL}-title`

const Part = ({ isShown, children }: { isShown: boolean; children: ReactNode }) => (
  <div data-part="" css={{ gap: space.snug, display: isShown ? 'grid' : 'none' }}>
    {children}
  </div>
)

/** Stays at the foot of the window, or of the panel. A form that is higher than that scrolls. */
const atFoot = {
  position: 'sticky',
  bottom: 'var(--bar, 0px)',
  zIndex: 1,
  display: 'grid',
  gap: space.tight,
  maxHeight: 'calc(100cqh - var(--top, 0px) - var(--bar, 0px) - 1rem)',
  marginTop: 'auto',
  padding: `${space.tight} 0 ${space.snug}`,
  borderTop: `1px solid ${colour.line}`,
  background: colour.paper,
  overflow: 'auto',
  // without room next to the properties only the tabs are there, until one is opened
  [narrow]: {
    '&:not([data-open])': {
      '[data-part]': { display: 'none' },
      '[aria-pressed=true]': { borderColor: colour.line, background: 'transparent', color: colour.ink },
    },
  },
} as const

/** Writes to the person of a lead, calls them, or notes something. The first reply stops the clock. */
export const Composer = (props: Props & { accountId: string; onNoted: () => void }) => {
  const { lead, accountId } = props
  const { data: settings, error, mutate } = useSettings()
  const { data: me } = useMe()
  useFailureToast(lead)
  const { tab: wanted, isOpen, open, show, fold, close, ...email } = useTab(lead.id, accountId)
  const tabs = tabsOf(lead)
  const tab = tabs.includes(wanted) ? wanted : 'note'
  const hasDraft = useHasEmailDraft(lead.id)
  const last = lastAnswerOf(props)
  useLoggedContacts(({ leadId, contact }) => {
    if (leadId === lead.id && contact?.channel === 'call' && contact.isReached) open('note')
  })
  const message = settings && me ? filledFor(lead, me)(whatsappText(settings.replies)) : ''
  return (
    <section aria-labelledby={HEADING} {...(isOpen && { 'data-open': '' })} css={atFoot}>
      <h2 id={HEADING} tabIndex={-1} css={unseen}>
        Answer
      </h2>
      {!lead.suspicion && (
        <>
          <OtherAnswer lead={lead} timeline={props.timeline ?? []} last={last} />
          <Bounced {...props} />
          <div data-part="">
            <LastAnswer last={last} lead={lead} />
          </div>
        </>
      )}
      {tabs.length > 1 && (
        <fieldset aria-label="Kind of answer" css={{ display: 'flex', flexWrap: 'wrap', gap: space.hair }}>
          {tabs.map((each) => (
            <Button
              key={each}
              look="quiet"
              aria-pressed={each === tab}
              onClick={() => (each === tab && isOpen ? fold() : open(each))}
            >
              {TABS[each]}
              {each === 'email' && hasDraft && tab !== 'email' && ' (draft)'}
            </Button>
          ))}
        </fieldset>
      )}
      <Part isShown={tab === 'note'}>
        <NoteForm leadId={lead.id} accountId={accountId} onAdded={props.onNoted} />
      </Part>
      {tabs.includes('email') && (
        <Part isShown={tab === 'email'}>
          {(!settings || !me) && <Pending what="the templates" isLoading error={error} retry={() => mutate()} />}
          {settings && me && (
            <Email {...props} {...email} settings={settings} me={me} onClose={close} onOpen={() => show('email')} />
          )}
        </Part>
      )}
      {tab === 'whatsapp' && (
        <Part isShown>
          <WhatsApp lead={lead} template={message} />
        </Part>
      )}
      {tab === 'call' && (
        <Part isShown>
          <Call lead={lead} />
        </Part>
      )}
    </section>
  )
}
