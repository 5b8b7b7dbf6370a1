import { verificationPath } from '../../../events/contract/signed-copy.ts'
import { ContractLife } from '../../staff/contracts/contract-life.tsx'
import { contractAddress, useContract } from '../../staff/contracts/contracts.ts'
import { momentOf } from '../../staff/day.ts'
import { Detail } from '../../staff/leads/shown/detail.tsx'
import { from, space } from '../../ui/theme.ts'
import { Panel } from './panel.tsx'

const inFull = (at: string | null) => (at === null ? 'Not known' : momentOf(at))

/** The evidence of a signed contract, and its signed copy. Nothing for a contract that has none. */
export const Contract = ({ leadId }: { leadId: string }) => {
  const { data } = useContract(leadId)
  if (!data) return null
  const { terms, evidence, receivedAt, copies } = data
  const copySha256 = copies.at(-1)?.sha256
  return (
    <Panel
      id={`contract-${leadId}`}
      title="Signed contract"
      action={copySha256 && evidence && <a href={`${contractAddress(leadId)}/copy`}>Download the signed copy</a>}
    >
      <ContractLife leadId={leadId} contract={data} />
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
        {copies.slice(0, -1).map(({ sha256 }) => (
          <Detail key={sha256} name="SHA-256 before a name was corrected">
            {sha256}
          </Detail>
        ))}
      </dl>
      <p css={{ marginTop: space.base }}>
        <a href={verificationPath(leadId)}>Check this contract</a>
      </p>
    </Panel>
  )
}
