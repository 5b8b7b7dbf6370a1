import { Link } from 'react-router'
import type { ContractRow } from '../../../events/contract/wire.ts'
import { Chip } from '../../staff/chip.tsx'
import { dayOrDash, useContracts, useContractsSummary, waitInDays } from '../../staff/contracts/contracts.ts'
import { useGoTo } from '../../staff/go-to.ts'
import { leadAddress } from '../../staff/leads/address.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { FROM_TODAY } from './from-today.ts'
import { Row, Section } from './section.tsx'

const DUE = new URLSearchParams({ show: 'due' })
const MAX_SHOWN = 5
const FIRST = new URLSearchParams([...DUE, ['limit', String(MAX_SHOWN)]])

const Reason = ({ row }: { row: ContractRow }) => {
  if (row.isLate) return <Chip tone="bad">Late: {waitInDays(row)}</Chip>
  if (row.state === 'signed') return <Chip tone="fresh">To accept</Chip>
  return <Chip>{row.endsOn ? `Ends on ${dayOrDash(row.endsOn)}` : 'Its minimum term is over soon'}</Chip>
}

const ContractLine = ({ row }: { row: ContractRow }) => {
  const toLead = useGoTo(leadAddress(row.leadId), FROM_TODAY)
  return (
    <Row
      id={`contract-${row.leadId}`}
      title={
        <Link to={leadAddress(row.leadId)} state={FROM_TODAY}>
          {row.name || 'Erased'}
        </Link>
      }
      actions={
        <ButtonLink look="quiet" {...toLead} aria-label={`Open contract: ${row.name}`}>
          Open contract
        </ButtonLink>
      }
    >
      <Reason row={row} />
      {row.businessName && <span css={{ overflowWrap: 'anywhere' }}>{row.businessName}</span>}
    </Row>
  )
}

export const useDueContracts = () => useContractsSummary(DUE)

/** The contracts to accept, those late against their promise, and those that end soon; nothing if there are none. */
export const ContractSection = () => {
  const { items: urgent } = useContracts(FIRST)
  const { data } = useDueContracts()
  if (!urgent || !data || data.count === 0) return null
  const { count } = data
  return (
    <Section
      id="contracts-due"
      title="Contracts"
      count={String(count)}
      total={count}
      isUrgent={urgent.some(({ isLate }) => isLate)}
      all="/admin-contracts"
      shown={urgent.length}
    >
      {urgent.map((row) => (
        <ContractLine key={row.leadId} row={row} />
      ))}
    </Section>
  )
}
