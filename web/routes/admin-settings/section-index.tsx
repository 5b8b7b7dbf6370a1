import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { colour, from, radius, space, type, unseen } from '../../ui/theme.ts'
import { GROUPS } from './sections.ts'
import type { Section } from './use-settings-form.ts'

/** A part is being read once its title is in this upper share of the window. */
const READING_SHARE = 0.35

const IDS = GROUPS.flatMap(({ sections }) => sections.map(({ id }) => id))

/** The part that is being read now. */
const useReadSection = () => {
  const [read, setRead] = useState(IDS[0])
  useEffect(() => {
    const look = () => {
      const line = innerHeight * READING_SHARE
      const reached = IDS.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? line + 1) <= line)
      const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 1
      setRead((isAtEnd ? IDS : reached).at(-1) ?? IDS[0])
    }
    // the browser has looked for the address's part before any existed; on the way back the scroll position is restored
    if (scrollY === 0) document.getElementById(location.hash.slice(1))?.scrollIntoView()
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [])
  return read
}

const takeFocus = (id: string) => document.getElementById(`${id}-title`)?.focus({ preventScroll: true })

type LinkProps = { section: Section; isRead: boolean; isUnsaved: boolean }

const SectionLink = ({ section: { id, title: label }, isRead, isUnsaved }: LinkProps) => {
  return (
    <Link
      replace
      to={`#${id}`}
      onClick={() => takeFocus(id)}
      aria-current={isRead ? 'location' : undefined}
      css={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: space.tight,
        minHeight: '2.25rem',
        padding: `0 ${space.snug}`,
        borderRadius: radius.control,
        color: colour.ink,
        fontSize: type.small,
        fontWeight: 500,
        textDecoration: 'none',
        whiteSpace: 'nowrap',
        ':hover': { background: colour.sunk, color: colour.ink },
        '&[aria-current]': { background: colour.accentWash, color: colour.accentDeep, fontWeight: 600 },
      }}
    >
      {label}
      {isUnsaved && (
        <span css={{ width: '0.5rem', height: '0.5rem', borderRadius: '50%', background: colour.clay }}>
          <span css={unseen}>(not saved)</span>
        </span>
      )}
    </Link>
  )
}

type GroupProps = (typeof GROUPS)[number] & { read: string | undefined; unsaved: ReadonlySet<string> }

const Group = ({ title, sections, read, unsaved }: GroupProps) => (
  <div>
    <p
      id={`index-${title}`}
      css={{
        ...unseen,
        [from.large]: {
          ...{ position: 'static', width: 'auto', height: 'auto', margin: 0, clipPath: 'none' },
          padding: `0 ${space.snug} ${space.hair}`,
          color: colour.soft,
          fontSize: '0.8125rem',
          fontWeight: 600,
        },
      }}
    >
      {title}
    </p>
    <ul
      aria-labelledby={`index-${title}`}
      css={{ display: 'flex', gap: space.hair, [from.large]: { display: 'grid' } }}
    >
      {sections.map((section) => (
        <li key={section.id}>
          <SectionLink section={section} isRead={section.id === read} isUnsaved={unsaved.has(section.id)} />
        </li>
      ))}
    </ul>
  </div>
)

/**
 * Navigation between the parts, always in sight: next to them on a wide window, else a row above them. A dot marks a
 * part with unsaved changes.
 */
export const SectionIndex = ({ unsaved }: { unsaved: ReadonlySet<string> }) => {
  const read = useReadSection()
  const nav = useRef<HTMLElement>(null)
  // the row of a narrow window scrolls sideways to the part being read
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>(`[href$="#${read}"]`)
    if (link && nav.current) nav.current.scrollTo({ left: link.offsetLeft - nav.current.clientWidth / 3 })
  }, [read])
  return (
    <nav
      ref={nav}
      aria-label="Parts of the settings"
      css={{
        position: 'sticky',
        zIndex: 5,
        top: 'var(--top, 0px)',
        display: 'flex',
        gap: space.base,
        // as wide as the window: the frame's margin beside the screens is smaller on a phone
        marginInline: `-${space.base}`,
        padding: `${space.tight} ${space.base}`,
        overflowX: 'auto',
        background: colour.paper,
        borderBottom: `1px solid ${colour.line}`,
        [from.medium]: { marginInline: `-${space.roomy}`, padding: `${space.tight} ${space.roomy}` },
        [from.large]: {
          top: `calc(${space.roomy} + var(--top, 0px))`,
          display: 'grid',
          alignSelf: 'start',
          gap: space.roomy,
          margin: 0,
          padding: 0,
          overflow: 'visible',
          border: 0,
        },
      }}
    >
      {GROUPS.map((group) => (
        <Group key={group.title} {...group} read={read} unsaved={unsaved} />
      ))}
    </nav>
  )
}
