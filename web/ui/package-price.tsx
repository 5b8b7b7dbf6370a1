import type { ReactNode } from 'react'
import { inRand } from '../../events/base/amount.ts'
import { FIRST_YEAR_MONTHS, firstYearOf } from '../../events/settings/prices.ts'
import type { ShownPackage } from '../content/site-context.ts'
import { Badge } from './badge.tsx'
import { colour, display, space, type } from './theme.ts'
import { Unbroken } from './unbroken.tsx'

const Line = ({ children }: { children: ReactNode }) => (
  <p
    css={{
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'baseline',
      gap: `${space.hair} ${space.tight}`,
      '& > *': { whiteSpace: 'nowrap' },
    }}
  >
    {children}
  </p>
)

const Amount = ({ amount, per }: { amount: string; per?: string }) => (
  <p css={{ ...display, fontSize: '2.75rem', whiteSpace: 'nowrap' }}>
    {amount}
    {per && <span css={{ fontSize: type.step, letterSpacing: 0 }}>{per}</span>}
  </p>
)

/**
 * Shows the price of a package: the setup fee, then the monthly fee (specification, 2), or the monthly fee first if it
 * `leads`; below them the total of the first year.
 */
export const PackagePrice = ({ offer, leads = 'setup' }: { offer: ShownPackage; leads?: 'setup' | 'month' }) => (
  <div css={{ display: 'grid', gap: space.hair }}>
    {offer.monthly === null ? (
      <Amount amount={inRand(offer.once)} />
    ) : leads === 'setup' ? (
      <Amount amount={inRand(offer.once)} per=" setup" />
    ) : (
      <Amount amount={inRand(offer.monthly)} per="/month" />
    )}
    {offer.monthly !== null ? (
      <Line>
        {leads === 'setup' ? (
          <span>
            plus <b>{inRand(offer.monthly)}/month</b>
          </span>
        ) : (
          <span>
            plus <b>{inRand(offer.once)}</b> setup
          </span>
        )}
        {offer.before && <s css={{ color: colour.soft }}>{offer.before}</s>}
        {offer.badge && <Badge>{offer.badge}</Badge>}
      </Line>
    ) : (
      <p>
        <Unbroken>once-off, no monthly fees</Unbroken>
      </p>
    )}
    <p css={{ color: colour.soft, fontSize: type.small }}>
      {inRand(firstYearOf(offer))} in total over the first {FIRST_YEAR_MONTHS} months
      {offer.id === 'essential' && ', without domain and hosting'}
    </p>
  </div>
)
