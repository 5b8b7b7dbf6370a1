import { type ReactNode, useEffect, useState } from 'react'
import { phoneLinks } from '../../../events/base/phone.ts'
import type { ChatSession } from '../../../events/chat/wire.ts'
import { momentOf } from '../../staff/day.ts'
import { useSendsTo } from '../../staff/email/emails.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { useMedia } from '../../ui/use-media.ts'
import { awayInWords } from './away.ts'

/** The telephone number that a visitor gave: a link that calls it, and one that opens WhatsApp. */
const VisitorPhone = ({ phone }: { phone: string }) => {
  const links = phoneLinks(phone)
  if (!links) return phone
  return (
    <span css={{ minWidth: 0 }}>
      <a href={links.call}>{links.shown}</a>
      {links.whatsapp && (
        <>
          {' · '}
          <a href={links.whatsapp} target="_blank" rel="noreferrer" aria-label="WhatsApp (new tab)">
            WhatsApp
          </a>
        </>
      )}
    </span>
  )
}

/** A window, or the part of it above a phone's keyboard, that is so low that the messages need the room. */
export const LOW = '(max-height: 40rem)'

const FOLDED = `(max-width: 47.99rem), ${LOW}`

/** Applies if the facts above the messages are folded. */
export const folded = `@media ${FOLDED}`

/** The facts about a visitor, above the messages; on phones and in low windows one line until it is opened. */
export const Facts = (props: {
  session: ChatSession
  others: string
  isAway: boolean
  /** Whether the visitor waits no longer. */
  hasGivenUp: boolean
  /** The facts that the one line shows. */
  brief: readonly string[]
  /** Whether there is something to read, such as a colleague’s note or a failure: it stays open until then. */
  isToRead: boolean
  children: ReactNode
}) => {
  const { session, others, isAway, brief, isToRead } = props
  const isEmailed = useSendsTo('visitor') !== false
  const isFolded = useMedia(FOLDED)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    setIsOpen(isToRead)
  }, [isToRead])
  const started = (
    <p css={{ display: 'flex', flexWrap: 'wrap', columnGap: space.base }}>
      <span>Started {momentOf(session.startTime)}</span>
      {session.visitorEmail && <span css={{ minWidth: 0 }}>{session.visitorEmail}</span>}
      {session.visitorPhone && <VisitorPhone phone={session.visitorPhone} />}
    </p>
  )
  return (
    <div
      css={{
        flex: 'none',
        padding: `${space.tight} ${space.base}`,
        borderBottom: `1px solid ${colour.line}`,
        color: colour.soft,
        fontSize: type.small,
        lineHeight: 1.5,
        overflowWrap: 'anywhere',
        // the opened facts scroll rather than push the messages away
        [folded]: { flex: '0 1 auto', minHeight: 0, maxHeight: '45%', paddingBlock: space.hair, overflowY: 'auto' },
      }}
    >
      {!isFolded && started}
      <p role="status" css={{ color: colour.accentDeep, fontWeight: 600, ':empty': { display: 'none' } }}>
        {others}
      </p>
      <p role="status" css={{ color: colour.ink, fontWeight: 600, ':empty': { display: 'none' } }}>
        {isAway && awayInWords(session, { isEmailed, hasGivenUp: props.hasGivenUp })}
      </p>
      <details open={!isFolded || isOpen}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is pressed, by the keyboard too */}
        <summary
          onClick={(event) => {
            // a browser would toggle it, whatever the window
            event.preventDefault()
            setIsOpen(!isOpen)
          }}
          css={{
            display: 'none',
            [folded]: {
              display: 'list-item',
              overflow: 'hidden',
              cursor: 'pointer',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            },
          }}
        >
          <strong css={{ color: colour.ink, fontWeight: 600 }}>About this visitor</strong>
          {isFolded && brief.length > 0 && ` · ${brief.join(', ')}`}
        </summary>
        {isFolded && started}
        {props.children}
      </details>
    </div>
  )
}
