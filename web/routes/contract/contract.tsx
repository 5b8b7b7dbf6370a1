import { Global } from '@emotion/react'
import type { ReactNode } from 'react'
import type { Terms as ContractTerms } from '../../../events/contract/terms.ts'
import type { PackageId } from '../../../events/settings/prices.ts'
import { whatsappLink } from '../../content/agency.ts'
import { MEANINGS } from '../../content/meanings.ts'
import { NEXT_STEPS, stepsAfterContract } from '../../content/next-steps.ts'
import { type AfterSigning, type ShownPackage, usePackage } from '../../content/site-context.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Guarantee } from '../../ui/guarantee.tsx'
import { CheckIcon, CloseIcon, WhatsAppIcon } from '../../ui/icons.tsx'
import { Island } from '../../ui/island.tsx'
import { PackagePrice } from '../../ui/package-price.tsx'
import { PublicPage } from '../../ui/public-page.tsx'
import { Section } from '../../ui/section.tsx'
import { colour, frame, from, panel, shadow, space, type } from '../../ui/theme.ts'
import { Unbroken } from '../../ui/unbroken.tsx'
import { ContractForm } from './contract-form.tsx'

const WhatsAppHelp = ({ offer }: { offer: ShownPackage }) => (
  <a
    href={whatsappLink(`Hi! I need help with the ${offer.name} package contract.`)}
    target="_blank"
    rel="noreferrer"
    css={{
      fontWeight: 600,
      whiteSpace: 'nowrap',
      '& svg': { display: 'inline-block', margin: `0 ${space.tight} -0.2em 0` },
    }}
  >
    <WhatsAppIcon />
    Ask us on WhatsApp
  </a>
)

const SUMMARY_WIDTH = '23rem'

/** Leaves the right of every section to the summary, in windows that are wide enough. */
const withSummary = {
  position: 'relative',
  [from.wide]: {
    '& > section > div, & > div > div': { paddingRight: `calc(var(--gutter) + ${SUMMARY_WIDTH} + 3rem)` },
  },
} as const

type Shown = { offer: ShownPackage; contract: ContractTerms; termsVersion: string; afterSigning: AfterSigning }

/** The text of the page until the contract is signed, and its replacement while its form shows that. */
const UntilSigned = ({ children, signed }: { children: string; signed: string }) => (
  <>
    <span css={{ 'body:has([data-sent]) &': { display: 'none' } }}>{children}</span>
    <span css={{ display: 'none', 'body:has([data-sent]) &': { display: 'inline' } }}>{signed}</span>
  </>
)

/** The cost, the delivery and the next steps, with a link to the form: in wide windows next to the whole page. */
const Summary = ({ offer }: Pick<Shown, 'offer'>) => {
  const { first, later } = stepsAfterContract(offer.delivery)
  return (
    <aside
      aria-label="Summary"
      css={{
        [from.wide]: {
          position: 'absolute',
          zIndex: 1,
          top: '3rem',
          right: 'max(var(--gutter), 50% - 38rem)',
          bottom: '3rem',
          width: SUMMARY_WIDTH,
        },
      }}
    >
      <div
        css={{
          display: 'grid',
          gap: space.base,
          ...panel,
          padding: space.inset,
          boxShadow: shadow.card,
          [from.wide]: { position: 'sticky', top: '5.75rem', padding: space.roomy },
        }}
      >
        <PackagePrice offer={offer} />
        <p css={{ paddingTop: space.base, borderTop: `1px solid ${colour.line}`, textWrap: 'balance' }}>
          {offer.delivery}
        </p>
        <ButtonLink href="#sign">
          <UntilSigned signed="Signed: see what happens next">Go to the contract form</UntilSigned>
        </ButtonLink>
        <WhatsAppHelp offer={offer} />
        <div
          css={{ display: 'none', [from.wide]: { display: 'block', 'body:has([data-sent]) &': { display: 'none' } } }}
        >
          <h2 css={{ marginBottom: space.tight, fontSize: type.step }}>What happens next</h2>
          <ol css={{ fontSize: type.small, lineHeight: 1.4 }}>
            {[{ what: first, when: NEXT_STEPS[0].when }, ...later].map(({ what, when }) => (
              <li
                key={what}
                css={{ display: 'grid', padding: `${space.tight} 0`, borderTop: `1px solid ${colour.line}` }}
              >
                <b>{what}</b>
                <span css={{ color: colour.soft }}>{when}</span>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </aside>
  )
}

/** The name of the package and its purpose, with its summary. */
const Opening = ({ offer, contract }: Pick<Shown, 'offer' | 'contract'>) => (
  <div css={{ background: `linear-gradient(${colour.paper}, ${colour.clayWash})` }}>
    <div
      css={{
        display: 'grid',
        gap: space.wide,
        ...frame,
        paddingBlock: `${space.wide} ${space.broad}`,
        [from.medium]: { gridTemplateColumns: '1fr 1fr', alignItems: 'center' },
        [from.wide]: { gridTemplateColumns: 'none', minHeight: '28rem' },
      }}
    >
      <div>
        <p css={{ marginBottom: space.base, fontSize: type.small }}>
          <a href="/#pricing">All packages and prices</a>
        </p>
        <h1 css={{ fontSize: type.display }}>{offer.name} package</h1>
        <p css={{ maxWidth: '34rem', marginTop: space.roomy, color: colour.soft, fontSize: type.lead }}>
          <Unbroken>{contract.summary}</Unbroken>
        </p>
      </div>
      <Summary offer={offer} />
    </div>
  </div>
)

const Points = ({ icon, points, isIncluded }: { icon: ReactNode; points: readonly string[]; isIncluded: boolean }) => (
  <ul css={{ display: 'grid', '& svg': { marginTop: '0.2em' } }}>
    {points.map((point) => (
      <li
        key={point}
        css={{ display: 'flex', gap: space.snug, padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}` }}
      >
        {icon}
        <span>
          <b css={{ display: 'block', fontWeight: 500 }}>
            <Unbroken>{point}</Unbroken>
          </b>
          {isIncluded && MEANINGS[point] && (
            <span css={{ color: colour.soft, fontSize: type.small }}>{MEANINGS[point]}</span>
          )}
        </span>
      </li>
    ))}
  </ul>
)

const Inclusions = ({ contract: { included, alsoIncluded, notIncluded } }: Pick<Shown, 'contract'>) => {
  const isSplit = notIncluded.length > 0 || alsoIncluded
  return (
    <Section id="included" ground="sunk" title="What you get">
      <div
        css={{
          display: 'grid',
          gap: space.broad,
          ...(isSplit && { [from.medium]: { gridTemplateColumns: alsoIncluded ? '1fr 1fr' : '3fr 2fr' } }),
        }}
      >
        <div>
          <h3 css={{ marginBottom: space.snug, fontSize: type.step }}>Included</h3>
          <div
            css={{
              '& svg': { color: colour.accent },
              '& ul': { gridTemplateColumns: 'repeat(auto-fill, minmax(15rem, 1fr))', columnGap: space.roomy },
            }}
          >
            <Points icon={<CheckIcon />} points={included} isIncluded />
          </div>
        </div>
        {alsoIncluded && (
          <div css={{ '& svg': { color: colour.accent } }}>
            <h3 css={{ marginBottom: space.snug, fontSize: type.step }}>{alsoIncluded.title}</h3>
            <Points icon={<CheckIcon />} points={alsoIncluded.points} isIncluded />
          </div>
        )}
        {notIncluded.length > 0 && (
          <div>
            <h3 css={{ marginBottom: space.snug, fontSize: type.step }}>Not included</h3>
            <div css={{ color: colour.soft }}>
              <Points icon={<CloseIcon />} points={notIncluded} isIncluded={false} />
            </div>
          </div>
        )}
      </div>
    </Section>
  )
}

const Timeline = ({ offer, contract }: Pick<Shown, 'offer' | 'contract'>) => (
  <Section id="timeline" title="Timeline" intro={`${offer.delivery}.`}>
    <ol css={{ display: 'grid', gap: space.roomy, [from.medium]: { gridAutoFlow: 'column', gridAutoColumns: '1fr' } }}>
      {contract.timeline.map(({ days, what, text }) => (
        <li key={days} css={{ paddingTop: space.base, borderTop: `3px solid ${colour.sun}` }}>
          <p css={{ color: colour.soft, fontSize: type.small, fontWeight: 600 }}>{days}</p>
          <h3 css={{ margin: `${space.hair} 0 ${space.tight}`, fontSize: type.step }}>{what}</h3>
          <p css={{ maxWidth: '26rem', color: colour.soft }}>{text}</p>
        </li>
      ))}
    </ol>
  </Section>
)

const Terms = ({ terms }: { terms: readonly string[] }) => (
  <ol css={{ display: 'grid', counterReset: 'term' }}>
    {terms.map((term) => (
      <li
        key={term}
        css={{
          display: 'grid',
          gridTemplateColumns: '2rem 1fr',
          padding: `${space.snug} 0`,
          borderTop: `1px solid ${colour.line}`,
          counterIncrement: 'term',
          '::before': { content: 'counter(term)', color: colour.soft, fontVariantNumeric: 'tabular-nums' },
        }}
      >
        {term}
      </li>
    ))}
  </ol>
)

const Facts = ({ facts }: { facts: AfterSigning }) => (
  <dl css={{ display: 'grid', [from.medium]: { gridTemplateColumns: '1fr 1fr', columnGap: space.wide } }}>
    {facts.map(({ what, text }) => (
      <div key={what} css={{ padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}` }}>
        <dt css={{ fontWeight: 600 }}>{what}</dt>
        <dd css={{ margin: 0, color: colour.soft }}>
          <Unbroken>{text}</Unbroken>
        </dd>
      </div>
    ))}
  </dl>
)

/** The other party, if owners have entered it. */
const Company = ({ lines }: { lines: readonly string[] }) => {
  if (lines.length === 0) return null
  return (
    <>
      <h3 css={{ margin: `${space.roomy} 0 ${space.snug}`, fontSize: type.step }}>Who you sign with</h3>
      <ul css={{ padding: `${space.snug} 0`, borderTop: `1px solid ${colour.line}`, overflowWrap: 'anywhere' }}>
        {lines.map((line) => (
          <li key={line} css={{ color: colour.soft, ':first-of-type': { color: colour.ink, fontWeight: 600 } }}>
            {line}
          </li>
        ))}
      </ul>
    </>
  )
}

const Signing = ({ offer, contract, termsVersion, afterSigning }: Shown) => {
  const { id: packageId, name, delivery } = offer
  const form = { packageId, name, line: contract.line, delivery, termsVersion }
  return (
    <Section
      id="sign"
      ground="sunk"
      title={
        <UntilSigned signed={`You have signed the ${offer.name} contract`}>
          {`Sign the ${offer.name} contract`}
        </UntilSigned>
      }
      intro={
        <UntilSigned signed="These are the terms that you agreed to, your reference, and what happens next.">
          Read the terms and complete the form. A consultant will call you about the next steps.
        </UntilSigned>
      }
    >
      <h3 css={{ marginBottom: space.snug, fontSize: type.step }}>Terms</h3>
      <Terms terms={contract.terms} />
      <p css={{ color: colour.soft, fontSize: type.small }}>Version {termsVersion} of these terms</p>
      <Guarantee />
      <h3 css={{ margin: `${space.wide} 0 ${space.snug}`, fontSize: type.step }}>After you sign</h3>
      <Facts facts={afterSigning} />
      <Company lines={contract.company} />
      <p css={{ margin: `${space.base} 0 ${space.wide}`, color: colour.soft }}>
        Questions about the contract? <WhatsAppHelp offer={offer} />
      </p>
      <div css={{ ...panel, padding: space.inset }}>
        <Island name="contract-form" props={form}>
          <ContractForm {...form} />
        </Island>
      </div>
    </Section>
  )
}

/** On paper: the package, its terms, and the signed data, without controls or fields. */
const onPaper = {
  '@media print': {
    'header :is(nav, [data-button], [data-island]), main :is([data-button], button, form), footer': {
      display: 'none !important',
    },
    'div:has(> [data-island=contract-form]):not(:has([data-sent]))': { display: 'none' },
    'li, dl > div': { breakInside: 'avoid' },
    'main [data-reveal]': { paddingBlock: '1.5rem !important' },
  },
} as const

export const Contract = ({ packageId }: { packageId: PackageId }) => {
  const shown = usePackage(packageId)
  return (
    <PublicPage
      next={{ href: '#sign', label: <UntilSigned signed="What happens next">Sign the contract</UntilSigned> }}
    >
      <Global styles={onPaper} />
      <div css={withSummary}>
        <Opening {...shown} />
        <Inclusions {...shown} />
        <Timeline {...shown} />
        <Signing {...shown} />
      </div>
    </PublicPage>
  )
}
