import { useSearchParams } from 'react-router'
import type { EmailFilter, EmailSummary } from '../../../events/email/wire.ts'
import { countInWords, useEmailSummary, useEmails } from '../../staff/email/emails.ts'
import { useListKeys } from '../../staff/list/list-keys.ts'
import { ShowMore } from '../../staff/list/show-more.tsx'
import { Pending, Placeholder } from '../../staff/placeholder.tsx'
import { SettingsFrame } from '../../staff/settings/settings-frame.tsx'
import { StalledBanner } from '../../staff/shell/stalled-banner.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space } from '../../ui/theme.ts'
import { EmailCard } from './email-card.tsx'
import { ALL, FILTERS } from './states.ts'

type Chosen = { chosen: EmailFilter | undefined; summary: EmailSummary | undefined }

/**
 * The filters of rare states are shown only while there are such emails: twelve buttons would fill a phone. The filter
 * of stuck ones is shown only while there are others that need attention: else both show the same.
 */
const shownFilters = ({ chosen, summary }: Chosen) =>
  FILTERS.filter(({ filter, isRare }) => {
    if (!filter || !isRare || filter === chosen) return true
    if (filter === 'stuck' && summary?.stuck === summary?.attention) return false
    return (summary?.[filter] ?? 0) > 0
  })

const Count = ({ of }: { of: number | undefined }) =>
  of === undefined ? null : (
    <span css={{ fontVariantNumeric: 'tabular-nums', fontWeight: 400 }}>{countInWords(of)}</span>
  )

const Filters = (props: Chosen & { onChoose: (filter: EmailFilter | undefined) => void }) => (
  <fieldset aria-label="Show" css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
    {shownFilters(props).map(({ filter, label }) => (
      <Button key={label} look="quiet" aria-pressed={filter === props.chosen} onClick={() => props.onChoose(filter)}>
        {label}
        {filter && <Count of={props.summary?.[filter]} />}
      </Button>
    ))}
  </fieldset>
)

export const EmailList = () => {
  useTitle('Email log')
  const [query, setQuery] = useSearchParams()
  const chosen = FILTERS.find(({ filter }) => filter === query.get('state')) ?? ALL
  const { filter } = chosen
  const { data: summary, mutate: refreshSummary } = useEmailSummary()
  const { emails, error, retry, show, hasMore, isLoadingMore, showMore } = useEmails(filter)
  useListKeys()
  return (
    <SettingsFrame title="Email log">
      <StalledBanner of="dispatch" />
      <p css={{ marginBottom: space.base, color: colour.soft }}>
        Failed emails are tried again by themselves. If you must do something, it says so.
      </p>
      <Filters
        chosen={filter}
        summary={summary}
        onChoose={(next) => {
          setQuery(next ? { state: next } : {})
          refreshSummary()
        }}
      />
      <p role="status" css={{ maxWidth: '44rem', marginTop: space.snug, color: colour.soft }}>
        {chosen.meaning}
      </p>
      <div css={{ marginTop: space.base }}>
        <Pending what="emails" isLoading={!emails} error={error} retry={retry} />
        {emails?.length === 0 && (
          <Placeholder title={filter ? `No emails: ${chosen.label.toLowerCase()}` : 'No emails yet'}>
            {filter ? 'There is none of this kind now.' : 'Emails appear here once a contract is signed.'}
          </Placeholder>
        )}
        <ul aria-label="Emails" css={{ display: 'grid', gap: space.snug, marginTop: error ? space.base : 0 }}>
          {emails?.map((email) => (
            <li key={email.id} data-row={email.id}>
              <EmailCard email={email} show={show} />
            </li>
          ))}
        </ul>
        {hasMore && <ShowMore isLoading={isLoadingMore} onMore={showMore} />}
      </div>
    </SettingsFrame>
  )
}
