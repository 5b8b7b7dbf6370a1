import { NavLink, Outlet } from 'react-router'
import { Button } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { colour, from, space, type } from '../ui/theme.ts'
import { toast } from '../ui/toast/toasts.ts'
import { signOut, useMe } from './account.ts'
import { StuckBadge } from './email-alarm.tsx'

const SCREENS = [
  { path: '/admin-dashboard', label: 'Dashboard' },
  { path: '/admin-submissions', label: 'Submissions' },
  { path: '/admin-chat', label: 'Live chat' },
  { path: '/admin-email', label: 'E-mail', Badge: StuckBadge },
]

const leave = () =>
  signOut().catch(() =>
    toast({
      title: 'You are still signed in',
      description: 'The server did not answer. Try again.',
      variant: 'destructive',
    }),
  )

/** What every staff screen stands in: where else to go, who is signed in, sign-out. */
export const Frame = () => {
  const { data: me } = useMe()
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header css={{ background: colour.sheet, borderBottom: `1px solid ${colour.line}` }}>
        <div
          css={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: `${space.tight} ${space.wide}`,
            maxWidth: '76rem',
            margin: '0 auto',
            padding: `${space.snug} ${space.roomy}`,
          }}
        >
          <Logo href="/" />
          <nav aria-label="Staff" css={{ order: 3, flexBasis: '100%', [from.medium]: { order: 0, flex: 1 } }}>
            <ul css={{ display: 'flex', flexWrap: 'wrap', gap: `0 ${space.roomy}` }}>
              {SCREENS.map(({ path, label, Badge }) => (
                <li key={path}>
                  <NavLink
                    to={path}
                    css={{
                      display: 'block',
                      padding: `${space.tight} 0`,
                      borderBottom: '2px solid transparent',
                      color: colour.soft,
                      fontWeight: 500,
                      textDecoration: 'none',
                      whiteSpace: 'nowrap',
                      ':hover': { color: colour.ink },
                      '&[aria-current="page"]': { borderColor: colour.accent, color: colour.ink },
                    }}
                  >
                    {label}
                    {Badge && <Badge />}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <div
            css={{
              marginLeft: 'auto',
              display: 'flex',
              alignItems: 'center',
              gap: space.base,
              color: colour.soft,
              fontSize: type.small,
            }}
          >
            {me && <span>{me.displayName}</span>}
            <Button look="quiet" onClick={leave}>
              Sign out
            </Button>
          </div>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        css={{ maxWidth: '76rem', margin: '0 auto', padding: `${space.wide} ${space.roomy} 6rem`, outline: 'none' }}
      >
        <Outlet />
      </main>
    </>
  )
}
