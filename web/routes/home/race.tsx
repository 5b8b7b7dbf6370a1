import { Global, keyframes } from '@emotion/react'
import type { CSSProperties } from 'react'
import { colour, display, frame, from, radius, space, type, unseen, withMotion } from '../../ui/theme.ts'
import { PreviewScene } from './preview-scenes.tsx'

/** The time until our pages can be read on a slow phone connection (Lighthouse, simulated slow 4G), in ms. */
const OURS_MS = 700
/** How long the race runs, in ms: a longer animation would need a button that stops it (WCAG 2.2.2). */
const WATCHED_MS = 5_000
/** A page of the median weight, 2,311 kB (HTTP Archive, 2024), over the 1.6 Mbit/s of that connection, in ms. */
const THEIRS_MS = 11_500

const reached = `${((WATCHED_MS / THEIRS_MS) * 100).toFixed(1)}%`

// Two of each that differ only in name: changing from one to the other restarts the race.
const runs = ['0px', '1px'].map((start) => ({
  count: keyframes({ from: { '--n': 0, outlineOffset: start } }),
  load: keyframes({ from: { width: 0, outlineOffset: start } }),
  appear: keyframes({ from: { opacity: 0, outlineOffset: start }, '99%': { opacity: 0 } }),
}))

const runOf = (selector: string, { count, load, appear }: (typeof runs)[number]) => ({
  [`${selector} .clock`]: { animation: `${count} linear backwards`, animationDuration: 'var(--takes)' },
  [`${selector} .load`]: { animation: `${load} ${WATCHED_MS}ms linear backwards` },
  [`${selector} .page`]: { animation: `${appear} ${OURS_MS}ms linear backwards` },
})

const [first, again] = runs as [(typeof runs)[number], (typeof runs)[number]]

const Phone = ({ name, ms, isOurs }: { name: string; ms: number; isOurs?: boolean }) => (
  <figure css={{ flex: '0 1 14rem', minWidth: 0 }}>
    <div
      aria-hidden="true"
      css={{
        overflow: 'hidden',
        aspectRatio: '10 / 17',
        padding: '1.75rem 0.875rem 0',
        border: '6px solid #000',
        borderRadius: '1.625rem',
        background: '#fff',
        boxShadow: '0 0 0 1px rgb(255 255 255 / 25%)',
        forcedColorAdjust: 'none',
      }}
    >
      {isOurs ? (
        <div
          className="page"
          css={{
            '--a': '#7a3e1d',
            '--b': '#d19a5b',
            '--c': '#f7efe3',
            display: 'grid',
            gap: 9,
            '& > :not(svg)': { height: 8, borderRadius: 8, background: colour.line },
            '& > b': { width: '75%', height: 14, background: 'var(--a)' },
            '& > u': { height: 30, background: 'var(--a)' },
          }}
        >
          <PreviewScene trade="guesthouse" />
          <b />
          <i />
          <i />
          <u />
          <i />
        </div>
      ) : (
        <div
          css={{
            display: 'grid',
            gap: space.snug,
            marginTop: '55%',
            color: colour.soft,
            fontSize: type.small,
            textAlign: 'center',
          }}
        >
          <span css={{ overflow: 'hidden', height: 6, borderRadius: 6, background: colour.line }}>
            <i className="load" css={{ display: 'block', width: reached, height: '100%', background: colour.clay }} />
          </span>
          Loading…
        </div>
      )}
    </div>
    <figcaption css={{ marginTop: space.base, textAlign: 'center', textWrap: 'balance' }}>
      <span
        aria-hidden="true"
        className="clock"
        // ours counts tenths of a second, theirs whole seconds
        style={{ '--n': isOurs ? ms / 100 : ms / 1000, '--takes': `${ms}ms` } as CSSProperties}
        css={{
          ...display,
          display: 'block',
          color: isOurs ? colour.sun : colour.onNight,
          fontSize: '1.5rem',
          counterReset: 'n var(--n)',
          '::after': { content: `${isOurs ? '"0." ' : ''}counter(n) " s"` },
        }}
      />
      {name}
    </figcaption>
  </figure>
)

/** The visitor's slow site against one of ours, in real time; with reduced motion it is still, at its end. */
export const Race = () => (
  <section aria-labelledby="race-title" css={{ overflow: 'hidden', background: colour.night, color: colour.onNight }}>
    <Global styles={{ '@property --n': { syntax: '"<integer>"', inherits: 'false', initialValue: '0' } }} />
    <div
      data-reveal=""
      css={{
        ...frame,
        display: 'grid',
        gap: space.wide,
        paddingBlock: space.vast,
        [from.medium]: { gridTemplateColumns: '1fr 1fr', alignItems: 'center' },
        [withMotion]: {
          ...runOf('&[data-reveal=shown]', first),
          ...runOf('&:has(#race-again:checked)', again),
        },
      }}
    >
      <div>
        <h2 id="race-title" css={{ maxWidth: '30rem', fontSize: type.heading }}>
          Your slow site, and ours
        </h2>
        <p css={{ maxWidth: '32rem', marginTop: space.base, color: colour.onNightSoft, fontSize: type.lead }}>
          The average web page (2.3 MB) takes 11.5 seconds on a slow phone connection. Ours takes 0.7. Your customers
          leave in between.
        </p>
        <p css={{ position: 'relative', display: 'none', marginTop: space.roomy, [withMotion]: { display: 'block' } }}>
          <input type="checkbox" id="race-again" css={unseen} />
          <label
            htmlFor="race-again"
            css={{
              display: 'inline-flex',
              alignItems: 'center',
              minHeight: '2.875rem',
              padding: '0 1.25rem',
              border: `1px solid ${colour.onNightSoft}`,
              borderRadius: radius.control,
              fontWeight: 600,
              cursor: 'pointer',
              ':hover': { borderColor: colour.onNight, background: 'rgb(255 255 255 / 8%)' },
              'input:focus-visible + &': { outline: `3px solid ${colour.sun}`, outlineOffset: 2 },
            }}
          >
            Run the race again
          </label>
        </p>
      </div>
      <div css={{ display: 'flex', justifyContent: 'center', gap: space.wide }}>
        <Phone name="A slow site, not halfway yet" ms={WATCHED_MS} />
        <Phone name="One of ours" ms={OURS_MS} isOurs />
      </div>
    </div>
  </section>
)
