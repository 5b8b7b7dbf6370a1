import { Link } from 'react-router'
import { nameOf } from '../../../../events/base/name-of.ts'
import { verificationPath } from '../../../../events/contract/signed-copy.ts'
import { PACKAGE_NAMES } from '../../../../events/lead/labels.ts'
import type { TimelineEntry } from '../../../../events/lead/person/person-wire.ts'
import type { Lead } from '../../../../events/lead/wire.ts'
import { space } from '../../../ui/theme.ts'
import { ContractLife } from '../../contracts/contract-life.tsx'
import { contractAddress, useContract } from '../../contracts/contracts.ts'
import { dayInShort, dayOf, momentOf } from '../../day.ts'
import { Detail } from '../shown/detail.tsx'
import { hasAnswers } from '../shown/lead-message.tsx'
import { PlainLink } from '../shown/plain-link.tsx'
import { requestId } from './bubble.tsx'
import { Panel } from './panel.tsx'

const inFull = (at: string | null) => (at === null ? 'Not known' : momentOf(at))

/** The leads of the client, which of them are part of the one that is shown, and the history of all. */
type Person = { leads: readonly Lead[]; ownIds: ReadonlySet<string>; timeline: readonly TimelineEntry[] }

/** The questionnaires and the chats of the client; a questionnaire that is part of the lead is in the thread. */
const SamePerson = ({ leads, ownIds, timeline }: Person) => {
  const briefs = leads.filter(hasAnswers)
  const chats = timeline.filter(({ kind, sessionId }) => kind === 'chat' && sessionId !== null)
  if (briefs.length + chats.length === 0) return null
  return (
    <p css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.base}`, marginBottom: space.tight }}>
      From the same person:
      {briefs.map(({ id, timestamp }) => {
        const words = `Questionnaire of ${dayInShort(dayOf(timestamp))}`
        return ownIds.has(id) ? (
          <a
            key={id}
            href={`#${requestId(id)}`}
            onClick={(event) => {
              event.preventDefault()
              document.getElementById(requestId(id))?.scrollIntoView({ block: 'start' })
            }}
          >
            {words}
          </a>
        ) : (
          <PlainLink key={id} leadId={id}>
            {words}
          </PlainLink>
        )
      })}
      {chats.map(({ id, sessionId, timestamp }) => (
        <Link key={id} to={`/admin-chat?session=${sessionId}`}>
          Chat of {dayInShort(dayOf(timestamp))}
        </Link>
      ))}
    </p>
  )
}

/** The life of a signed contract, its signed copy, what else its client sent, and the evidence. Nothing for a contract that has none. */
export const Contract = ({ leadId, person }: { leadId: string; person: Person }) => {
  const { data } = useContract(leadId)
  if (!data) return null
  const { terms, evidence, receivedAt, copies } = data
  const copySha256 = copies.at(-1)?.sha256
  return (
    <Panel id={`contract-${leadId}`} title={`Signed contract: ${nameOf(PACKAGE_NAMES, data.package)}`}>
      <p css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.base}`, marginBottom: space.tight }}>
        {copySha256 && evidence && <a href={`${contractAddress(leadId)}/copy`}>Download the signed copy</a>}
        <a href={verificationPath(leadId)}>Check this contract</a>
      </p>
      <SamePerson {...person} />
      <ContractLife leadId={leadId} contract={data} />
      <details css={{ marginTop: space.tight }}>
        <summary css={{ cursor: 'pointer' }}>Evidence of the signature</summary>
        <dl css={{ display: 'grid', gap: space.tight, marginTop: space.tight }}>
          <Detail name="Terms">
            Version {terms.version}
            {!terms.isNamed && '. The sender named none: these were the current ones'}
          </Detail>
          {evidence && (
            <>
              <Detail name="Signed as">{evidence.signature}</Detail>
              <Detail name="Page opened">{inFull(evidence.openedAt)}</Detail>
              <Detail name="Box ticked">{inFull(evidence.tickedAt)}</Detail>
            </>
          )}
          <Detail name="Received">{inFull(receivedAt)}</Detail>
          {evidence && <Detail name="Client address">{evidence.clientAddress}</Detail>}
          <Detail name="Agreed to">{terms.agreement}</Detail>
          {evidence && <Detail name="Browser">{evidence.userAgent ?? 'Not given'}</Detail>}
          <Detail name="SHA-256 of the terms">{terms.sha256}</Detail>
          {evidence && <Detail name="SHA-256 of the filled contract">{evidence.contractSha256}</Detail>}
          <Detail name="SHA-256 of the signed copy">{copySha256 ?? 'It is being made'}</Detail>
          {copies.slice(0, -1).map(({ sha256 }) => (
            <Detail key={sha256} name="SHA-256 before a name was corrected">
              {sha256}
            </Detail>
          ))}
        </dl>
      </details>
    </Panel>
  )
}
