import { useLocation, useNavigate } from 'react-router'
import type { LeadsLayout } from '../../../../events/staff/staff.ts'
import { Button } from '../../../ui/button.tsx'
import { colour, radius } from '../../../ui/theme.ts'
import { chooseLeadsLayout } from '../../account/account.ts'
import { toastFailure } from '../../requests/refusal.ts'

const LAYOUTS = { cards: 'Cards', list: 'List', board: 'Board' } as const

const joined = {
  display: 'flex',
  flex: 'none',
  border: `1px solid ${colour.line}`,
  borderRadius: radius.control,
  '&& > button': { border: 0, fontWeight: 500 },
} as const

/**
 * The layouts of the list of leads, with the same filters: today’s leads as cards, the open ones in rows, or by stage on
 * a board. The account opens with the last of the first two that it chose.
 */
export const LayoutSwitch = ({ layout }: { layout: LeadsLayout | 'board' }) => {
  const { search } = useLocation()
  const navigate = useNavigate()
  const choose = (next: keyof typeof LAYOUTS) => {
    if (next === layout) return
    if (next === 'board') return navigate(`/admin-pipeline${search}`)
    // the other layout has its own switch
    const focusScreen = () => document.getElementById('content')?.focus({ preventScroll: true })
    chooseLeadsLayout(next).then(focusScreen, (error) => toastFailure('This was not remembered', error))
    if (layout === 'board') navigate(`/admin-dashboard${search}`)
  }
  return (
    <fieldset aria-label="Layout" css={joined}>
      {Object.entries(LAYOUTS).map(([name, words]) => (
        <Button
          key={name}
          look="quiet"
          aria-pressed={name === layout}
          onClick={() => choose(name as keyof typeof LAYOUTS)}
        >
          {words}
        </Button>
      ))}
    </fieldset>
  )
}
