import { verificationPath } from '../../../events/contract/signed-copy.ts'
import { contractEvidence } from '../../../events/contract/wire.ts'
import { momentOf } from '../../staff/day.ts'
import { Detail } from '../../staff/leads/shown/detail.tsx'
import { useGet } from '../../staff/use-get.ts'
import { from, space } from '../../ui/theme.ts'
import { Panel } from './panel.tsx'

const addressOf = (leadId: string) => `/api/leads/${encodeURIComponent(leadId)}/contract`

/** How often it is fetched again until the signed copy has been made. */
const UNTIL_COPIED = 'sending'

const inFull = (at: string | null) => (at === null ? 'Not known' : momentOf(at))

/** The evidence of a signed contract, and its signed copy. Nothing for a contract that has none. */
export const Contract = ({ leadId }: { leadId: string }) => {
  const { data } = useGet(addressOf(leadId), contractEvidence, {
    poll: (known) => (known && known.copySha256 === null ? UNTIL_COPIED : 'never'),
    shouldRetryOnError: false,
  })
  if (!data) return null
  const { terms, evidence, receivedAt, copySha256 } = data
  return (
    <Panel
      id={`contract-${leadId}`}
      title="Signed contract"
      action={copySha256 && evidence && <a href={`${addressOf(leadId)}/copy`}>Download the signed copy</a>}
    >
      <dl
        css={{
          display: 'grid',
          gap: space.base,
          gridTemplateColumns: '1fr',
          [from.medium]: { gridTemplateColumns: '1fr 1fr' },
        }}
      >
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
      </dl>
      <dl css={{ display: 'grid', gap: space.base, marginTop: space.base }}>
        <Detail name="Agreed to">{terms.agreement}</Detail>
        {evidence && <Detail name="Browser">{evidence.userAgent ?? 'Not given'}</Detail>}
        <Detail name="SHA-256 of the terms">{terms.sha256}</Detail>
        {evidence && <Detail name="SHA-256 of the filled contract">{evidence.contractSha256}</Detail>}
        <Detail name="SHA-256 of the signed copy">{copySha256 ?? 'It is being made'}</Detail>
      </dl>
      <p css={{ marginTop: space.base }}>
        <a href={verificationPath(leadId)}>Check this contract</a>
      </p>
    </Panel>
  )
}
