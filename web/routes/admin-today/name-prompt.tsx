import type { Me } from '../../../events/staff/wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { nameForCustomers, useNamePrompt } from '../../staff/account/own-name.ts'
import { useGoTo } from '../../staff/go-to.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { colour, onPhone, radius, space } from '../../ui/theme.ts'

const Prompt = ({ me }: { me: Me }) => {
  const { isAsked, dismiss } = useNamePrompt(me)
  const toAccount = useGoTo('/admin-account')
  if (!isAsked) return null
  const close = () => {
    dismiss()
    // the button that had the focus disappears
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  return (
    <aside
      aria-label="Your name"
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: space.tight,
        marginBottom: space.tight,
        padding: `${space.hair} ${space.snug}`,
        borderRadius: radius.card,
        background: colour.sunk,
      }}
    >
      <p css={{ flex: '1 1 16rem', [onPhone]: { flexBasis: '100%' } }}>
        Add your name: customers now see "{nameForCustomers(me)}".
      </p>
      <ButtonLink look="quiet" {...toAccount}>
        Add it
      </ButtonLink>
      <Button look="quiet" onClick={close}>
        Not now
      </Button>
    </aside>
  )
}

/** Asks staff who reply to customers without a name of their own for one, until they decline. */
export const NamePrompt = () => {
  const { data: me } = useMe()
  return me ? <Prompt key={me.id} me={me} /> : null
}
