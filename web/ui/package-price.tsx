import type { ReactNode } from 'react'
import { firstYearOf, inRand } from '../content/price.ts'
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
      {offer.monthly ? offer.monthly.replace('/month', '') : offer.price}
      {offer.monthly && <span css={{ fontSize: type.step, letterSpacing: 0 }}>/month</span>}
    </p>
    {offer.monthly ? (
      <Line>
        <span>
          plus <b>{offer.price}</b> setup
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
      {inRand(firstYearOf(offer))} in total over the first 12 months
    </p>
  </div>
)
