import type { ReactNode } from 'react'
import { inRand } from '../../events/amount.ts'
import { CONTRACT_MONTHS, firstYearOf, monthlyInRand, onceInRand } from '../../events/prices.ts'
import type { ShownPackage } from '../content/site.ts'
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

/** What a package costs: first what comes back every month, then what is paid once, then the first year in one figure. */
export const PackagePrice = ({ offer }: { offer: ShownPackage }) => (
  <div css={{ display: 'grid', gap: space.hair }}>
    <p css={{ ...display, fontSize: '2.75rem', whiteSpace: 'nowrap' }}>
      {monthlyInRand(offer.id) || onceInRand(offer.id)}
      {!offer.terms && <span css={{ fontSize: type.step, letterSpacing: 0 }}>/month</span>}
    </p>
    {offer.terms === null ? (
      <Line>
        <span>
          plus <b>{onceInRand(offer.id)}</b> setup
        </span>
        {offer.before && <s css={{ color: colour.soft }}>{offer.before}</s>}
        {offer.badge && <Badge>{offer.badge}</Badge>}
      </Line>
    ) : (
      <p>
        <Unbroken>{offer.terms}</Unbroken>
      </p>
    )}
    <p css={{ color: colour.soft, fontSize: type.small }}>
      {inRand(firstYearOf(offer.id))} in total over the first {CONTRACT_MONTHS} months
      {offer.id === 'essential' && ', without domain and hosting'}
    </p>
  </div>
)
