import { Link, useSearchParams } from 'react-router'
import { ShowMore } from '../../staff/list/show-more.tsx'
import { Pending, Placeholder } from '../../staff/placeholder.tsx'
import { SettingsFrame } from '../../staff/settings/settings-frame.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { Button } from '../../ui/button.tsx'
import { colour, space } from '../../ui/theme.ts'
import { useWebhookDeliveries } from './deliveries.ts'
import { DeliveryCard } from './delivery-card.tsx'
import { FILTERS } from './states.ts'

const apiQuery = (query: URLSearchParams) => {
  const filters = ['webhook', 'state'].flatMap((name) => {
    const value = query.get(name)
    return value ? [[name, value]] : []
  })
  return new URLSearchParams(filters)
}

const withState = (query: URLSearchParams, state: string | null) => {
  const next = apiQuery(query)
  if (state) next.set('state', state)
  else next.delete('state')
  return next
}

export const WebhookDeliveries = () => {
  useTitle('Webhook log')
  const [query, setQuery] = useSearchParams()
  const { deliveries, error, retry, hasMore, isLoadingMore, showMore } = useWebhookDeliveries(apiQuery(query))
  return (
    <SettingsFrame title="Webhook log">
      <p css={{ maxWidth: '40rem', margin: `${space.tight} 0 ${space.roomy}`, color: colour.soft }}>
        What other programs were told by webhooks in the last 30 days. What fails is tried again for a day.
        {query.has('webhook') && (
          <>
            {' '}
            Of one webhook: <Link to="/admin-webhooks">show all</Link>
          </>
        )}
      </p>
      <fieldset aria-label="Show" css={{ display: 'flex', flexWrap: 'wrap', gap: space.tight }}>
        {FILTERS.map(({ state, label }) => (
          <Button
            key={label}
            look="quiet"
            aria-pressed={state === query.get('state')}
            onClick={() => setQuery(withState(query, state))}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <div css={{ marginTop: space.roomy }}>
        <Pending what="deliveries" isLoading={!deliveries} error={error} retry={retry} />
        {deliveries?.length === 0 && (
          <Placeholder title="No deliveries">
            Admins add webhooks in the settings. Their deliveries show here.
          </Placeholder>
        )}
        <ul aria-label="Webhook log" css={{ display: 'grid', gap: space.snug }}>
          {deliveries?.map((delivery) => (
            <li key={delivery.id}>
              <DeliveryCard delivery={delivery} onResent={retry} />
            </li>
          ))}
        </ul>
        {hasMore && <ShowMore isLoading={isLoadingMore} onMore={showMore} />}
      </div>
    </SettingsFrame>
  )
}
