import { verificationPath } from '../../../../events/contract/signed-copy.ts'
import { space } from '../../../ui/theme.ts'
import { ContractLife } from '../../contracts/contract-life.tsx'
import { contractAddress, useContract } from '../../contracts/contracts.ts'
import { momentOf } from '../../day.ts'
import { Detail } from '../shown/detail.tsx'
import { Panel } from './panel.tsx'

const inFull = (at: string | null) => (at === null ? 'Not known' : momentOf(at))

/** The life of a signed contract, its signed copy, and the evidence. Nothing for a contract that has none. */
export const Contract = ({ leadId }: { leadId: string }) => {
  const { data } = useContract(leadId)
  if (!data) return null
  const { terms, evidence, receivedAt, copies } = data
  const copySha256 = copies.at(-1)?.sha256
  return (
    <Panel id={`contract-${leadId}`} title="Signed contract">
      <p css={{ display: 'flex', flexWrap: 'wrap', gap: `${space.hair} ${space.base}`, marginBottom: space.tight }}>
        {copySha256 && evidence && <a href={`${contractAddress(leadId)}/copy`}>Download the signed copy</a>}
        <a href={verificationPath(leadId)}>Check this contract</a>
      </p>
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
