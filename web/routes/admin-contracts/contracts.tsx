import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { inNumbers, inRand } from '../../../events/base/amount.ts'
import type { ContractRow, ContractsSummary } from '../../../events/contract/wire.ts'
import { packagesOf } from '../../../events/settings/packages.ts'
import { Chip } from '../../staff/chip.tsx'
import {
  dayOrDash,
  feeInWords,
  STATE_NAMES,
  stateInWords,
  useContracts,
  useContractsSummary,
  waitInDays,
} from '../../staff/contracts/contracts.ts'
import { Select } from '../../staff/forms/select.tsx'
import { leadAddress } from '../../staff/leads/address.ts'
import { rowId, useListKeys } from '../../staff/list/list-keys.ts'
import { ShowMore } from '../../staff/list/show-more.tsx'
import { Pending, Placeholder } from '../../staff/placeholder.tsx'
import { useDebounced } from '../../staff/requests/use-debounced.ts'
import { useSettings } from '../../staff/settings/settings.ts'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TopBar } from '../../staff/shell/top-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { control } from '../../ui/form/control.ts'
import { colour, from, onPhone, panel, space, thumbLink, type, unseen } from '../../ui/theme.ts'

const SHOWS = { waiting: 'Not live yet', ending: 'Ending soon', ...STATE_NAMES } as const

type Names = Record<string, string>

const usePackageNames = (): Names => {
  const { data: settings } = useSettings()
  return Object.fromEntries(packagesOf(settings?.packages ?? {}).map(({ id, name }) => [id, name]))
}

const FILTERS = ['show', 'package'] as const
const TYPING_MS = 250

const useFilter = () => {
  const [query, setQuery] = useSearchParams()
  const filter = new URLSearchParams(
    FILTERS.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])),
  )
  const choose = (name: (typeof FILTERS)[number], value: string) => {
    const next = new URLSearchParams(filter)
    if (value) next.set(name, value)
    else next.delete(name)
    setQuery(next, { replace: true, preventScrollReset: true })
  }
  return { filter, choose, clear: () => setQuery({}, { replace: true, preventScrollReset: true }) }
}

const filterLook = { width: 'auto', [onPhone]: { flex: 1 } }

const Figure = ({ name, children, detail }: { name: string; children: string; detail?: string }) => (
  <div css={{ minWidth: 0, padding: `${space.snug} ${space.base}`, ...panel }}>
    <dt css={{ color: colour.soft, fontSize: type.small }}>{name}</dt>
    <dd css={{ fontSize: type.heading, fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>{children}</dd>
    {detail && <dd css={{ color: colour.soft, fontSize: type.small }}>{detail}</dd>}
  </div>
)

const Totals = ({ totals, names }: Pick<ContractsSummary, 'totals'> & { names: Names }) => (
  <dl
    css={{
      display: 'grid',
      gap: space.snug,
      gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
      marginBottom: space.base,
      [from.large]: { gridTemplateColumns: 'repeat(4, minmax(0, 1fr))' },
    }}
  >
    <Figure
      name="Monthly recurring revenue"
      detail={totals.packages
        .map((each) => `${names[each.package] ?? each.package} ${inRand(each.monthly)}`)
        .join(' · ')}
    >
      {inRand(totals.monthly)}
    </Figure>
    <Figure
      name="Contracts that pay monthly"
      detail={totals.packages
        .map((each) => `${names[each.package] ?? each.package} ${inNumbers(each.contracts)}`)
        .join(' · ')}
    >
      {inNumbers(totals.packages.reduce((sum, each) => sum + each.contracts, 0))}
    </Figure>
    <Figure name="Signed, not live yet" detail={`${inNumbers(totals.late)} late against the promise`}>
      {inNumbers(totals.waiting)}
    </Figure>
    <Figure name="Ending, or past the minimum term" detail="Within 60 days">
      {inNumbers(totals.ending)}
    </Figure>
  </dl>
)

const toneOf = ({ state, isLate, isEnding }: ContractRow) => {
  if (isLate) return 'bad' as const
  if (isEnding || state === 'signed') return 'fresh' as const
  return 'plain' as const
}

const COLUMNS = ['Client', 'Package', 'Monthly fee', 'Live since', 'First possible end', 'State', 'Also sent']

/** On a phone a row is two lines: the client and the state, then the facts. */
const Row = ({ row, names }: { row: ContractRow; names: Names }) => (
  <tr data-row={row.leadId}>
    <th scope="row">
      <Link id={rowId(row.leadId)} to={leadAddress(row.leadId)}>
        {row.name || 'Erased'}
      </Link>
      {row.businessName && <span css={{ color: colour.soft, fontWeight: 400 }}> {row.businessName}</span>}
    </th>
    <td>{names[row.package] ?? row.package}</td>
    <td data-number="">{feeInWords(row.monthly)}</td>
    <td data-number="" data-label="Live since" {...(row.liveOn === null && { 'data-empty': '' })}>
      {dayOrDash(row.liveOn)}
    </td>
    <td data-number="" data-label="Can end on" {...(row.firstPossibleEnd === null && { 'data-empty': '' })}>
      {dayOrDash(row.firstPossibleEnd)}
    </td>
    <td>
      <Chip tone={toneOf(row)}>
        {stateInWords(row.state)}
        {row.waits !== null && ` · ${waitInDays(row)}`}
      </Chip>
    </td>
    <td {...(!row.questionnaireId && !row.sessionId && { 'data-empty': '' })}>
      <span css={{ display: 'flex', flexWrap: 'wrap', gap: `0 ${space.snug}`, fontSize: type.small }}>
        {row.questionnaireId && (
          <Link to={leadAddress(row.questionnaireId)} aria-label={`Questionnaire of ${row.name}`}>
            Questionnaire
          </Link>
        )}
        {row.sessionId && (
          <Link to={`/admin-chat?session=${row.sessionId}`} aria-label={`Chat of ${row.name}`}>
            Chat
          </Link>
        )}
      </span>
    </td>
  </tr>
)

const table = {
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: type.body,
  'th, td': { padding: `${space.tight} ${space.snug}`, borderBottom: `1px solid ${colour.line}`, textAlign: 'left' },
  'thead th': { color: colour.soft, fontSize: type.small, fontWeight: 500, whiteSpace: 'nowrap' },
  'tbody th': { fontWeight: 600, overflowWrap: 'anywhere' },
  'tbody tr:hover': { background: colour.sunk },
  'tbody a': { color: colour.ink, textDecoration: 'none', '&:hover': { textDecoration: 'underline' }, ...thumbLink },
  '[data-number]': { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  [onPhone]: {
    '&, tbody, tbody tr': { display: 'block' },
    thead: unseen,
    'tbody tr': {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: `${space.hair} ${space.snug}`,
      padding: `${space.snug} 0`,
      borderBottom: `1px solid ${colour.line}`,
    },
    'tbody th, tbody td': { padding: 0, border: 0, fontSize: type.small },
    'tbody th': { flex: '1 1 100%', fontSize: type.body },
    '[data-label]::before': { content: 'attr(data-label) " "', color: colour.soft },
    '[data-empty]': { display: 'none' },
  },
} as const

const Table = ({ rows, names }: { rows: ContractRow[]; names: Names }) => {
  useListKeys()
  return (
    <table css={table}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.leadId} row={row} names={names} />
        ))}
      </tbody>
    </table>
  )
}

const Results = (props: { filter: URLSearchParams; names: Names; onClear: () => void }) => {
  const { filter, names, onClear } = props
  const { items: rows, error, retry, hasMore, isLoadingMore, showMore } = useContracts(filter)
  const { data: summary } = useContractsSummary(filter)
  if (error || !rows) return <Pending what="the contracts" isLoading error={error} retry={retry} />
  return (
    <>
      {summary && <Totals totals={summary.totals} names={names} />}
      <p role="status" css={unseen}>
        {summary && `${inNumbers(summary.count)} contracts`}
      </p>
      {rows.length === 0 && filter.size > 0 && (
        <Placeholder title="No contract fits">
          <Button look="quiet" onClick={onClear}>
            Show all contracts
          </Button>
        </Placeholder>
      )}
      {rows.length === 0 && filter.size === 0 && (
        <Placeholder title="No contracts yet">A contract that a client signs on the website appears here.</Placeholder>
      )}
      {rows.length > 0 && <Table rows={rows} names={names} />}
      {hasMore && <ShowMore isLoading={isLoadingMore} onMore={showMore} />}
    </>
  )
}

export const ContractsScreen = () => {
  useTitle('Contracts')
  const { filter, choose, clear } = useFilter()
  const names = usePackageNames()
  const [text, setText] = useState('')
  const q = useDebounced(text.trim(), TYPING_MS)
  if (q) filter.set('q', q)
  const exportAddress = (format: string) =>
    `/api/contracts/export?${new URLSearchParams([...filter, ['format', format]])}`
  return (
    <>
      <TopBar
        title="Contracts"
        menu={
          <>
            <a href={exportAddress('xlsx')} download>
              Export to Excel
            </a>
            <a href={exportAddress('csv')} download>
              Export as CSV
            </a>
          </>
        }
      >
        <input
          type="search"
          aria-label="Search clients"
          placeholder="Search clients"
          value={text}
          maxLength={200}
          onChange={({ target }) => setText(target.value)}
          css={[
            control,
            { width: 'auto', flex: '1 1 10rem', maxWidth: '18rem', [onPhone]: { flexBasis: '100%', maxWidth: 'none' } },
          ]}
        />
        <Select
          aria-label="All states"
          none="All states"
          value={filter.get('show') ?? ''}
          choices={Object.entries(SHOWS)}
          onChoose={(show) => choose('show', show)}
          css={filterLook}
        />
        <Select
          aria-label="All packages"
          none="All packages"
          value={filter.get('package') ?? ''}
          choices={Object.entries(names)}
          onChoose={(id) => choose('package', id)}
          css={filterLook}
        />
      </TopBar>
      <StalledBanner of="contracts" />
      <Results
        filter={filter}
        names={names}
        onClear={() => {
          clear()
          setText('')
        }}
      />
    </>
  )
}
