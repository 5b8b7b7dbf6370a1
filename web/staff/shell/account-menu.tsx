import { type ReactNode, useId, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import type { Me } from '../../../events/staff/wire.ts'
import { Button } from '../../ui/button.tsx'
import { Face } from '../../ui/face.tsx'
import { KeyboardIcon, SignOutIcon } from '../../ui/icons.tsx'
import { belowWide, colour, from, space, type, unseen, withBar } from '../../ui/theme.ts'
import { AlertButtons, AlertsRefusal } from '../alerts/alert-buttons.tsx'
import { chosenTheme, type Theme } from '../chosen-theme.ts'
import { openKeyHelp } from '../list/key-help.tsx'
import { enterMenu, floating, inMenu, menuEntry } from '../menu.tsx'
import { sideEntry } from '../side-bar.ts'

const THEMES: readonly { name: string; theme: Theme | undefined }[] = [
  { name: 'As the system', theme: undefined },
  { name: 'Light', theme: 'light' },
  { name: 'Dark', theme: 'dark' },
]

/** A choice within the menu, in a row of buttons. */
const Choice = ({ title, children, after }: { title: string; children: ReactNode; after?: ReactNode }) => (
  <fieldset css={{ maxWidth: '20rem', padding: `${space.hair} ${space.snug} ${space.tight}` }}>
    <legend css={{ color: colour.soft, fontSize: type.small }}>{title}</legend>
    <div
      css={{
        display: 'flex',
        gap: space.hair,
        '&& > button': { flex: 'auto', paddingInline: space.tight, whiteSpace: 'nowrap' },
      }}
    >
      {children}
    </div>
    {after}
  </fieldset>
)

const ThemeChoice = () => {
  const chosen = useSyncExternalStore(chosenTheme.subscribe, chosenTheme.get)
  return (
    <Choice title="Theme">
      {THEMES.map(({ name, theme }) => (
        <Button key={name} look="quiet" aria-pressed={chosen === theme} onClick={() => chosenTheme.choose(theme)}>
          {name}
        </Button>
      ))}
    </Choice>
  )
}

/** The face at the foot of the side bar, which opens the account's menu; on a phone its entries are behind `More`. */
export const AccountMenu = ({ me, onSignOut }: { me: Me | undefined; onSignOut: () => void }) => {
  const id = useId()
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        onKeyDown={enterMenu}
        css={[sideEntry, { width: '100%', color: colour.ink, textAlign: 'start', [withBar]: { display: 'none' } }]}
      >
        <Face name={me?.displayName ?? '?'} photo={me?.photo ?? null} sizePx={24} />
        <span css={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', [belowWide]: unseen }}>
          <span css={unseen}>Account: </span>
          {me?.displayName}
        </span>
      </button>
      <div
        id={id}
        popover="auto"
        {...inMenu}
        css={{
          [from.large]: {
            ...floating,
            '@supports (position-area: top)': {
              inset: 'auto',
              margin: `${space.hair} 0`,
              positionArea: 'top span-right',
              positionTryFallbacks: 'none',
            },
          },
          [withBar]: {
            position: 'static',
            display: 'block',
            width: 'auto',
            height: 'auto',
            margin: `${space.hair} 0 0`,
            padding: `${space.hair} 0 0`,
            border: 0,
            borderTop: `1px solid ${colour.line}`,
            background: 'none',
            color: 'inherit',
          },
        }}
      >
        {me && (
          <Link to="/admin-account" css={menuEntry}>
            <span css={{ overflowWrap: 'anywhere' }}>Your account: {me.displayName}</span>
          </Link>
        )}
        <ThemeChoice />
        {me && (
          <Choice title="Alerts in this browser" after={<AlertsRefusal />}>
            <AlertButtons />
          </Choice>
        )}
        <Button
          look="quiet"
          aria-keyshortcuts="?"
          onClick={openKeyHelp}
          css={[menuEntry, { [withBar]: { display: 'none' } }]}
        >
          <KeyboardIcon /> Keys <kbd css={{ marginLeft: 'auto', color: colour.soft }}>?</kbd>
        </Button>
        <Button look="quiet" onClick={onSignOut} css={menuEntry}>
          <SignOutIcon /> Sign out
        </Button>
      </div>
    </>
  )
}
