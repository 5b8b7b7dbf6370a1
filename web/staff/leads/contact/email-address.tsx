import type { ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { space } from '../../../ui/theme.ts'
import { copyText } from '../../copy-text.ts'
import { EmailText } from './email-text.tsx'

/**
 * A lead's email address with a button that copies it; renders nothing without one. `children` replace the shown text.
 */
export const EmailAddress = ({
  email,
  children = <EmailText email={email} />,
}: {
  email: string
  children?: ReactNode
}) =>
  email && (
    <span css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: `${space.hair} ${space.tight}` }}>
      <span css={{ minWidth: 0 }}>{children}</span>
      <Button
        look="quiet"
        aria-label="Copy the email address"
        onClick={() => copyText(email, 'Email address copied')}
        css={{
          '&&': { padding: `0 ${space.tight}`, fontSize: '0.8125rem' },
          // no taller than its line, except for a thumb
          '@media (pointer: fine)': { '&&': { minHeight: '1.75rem' } },
        }}
      >
        Copy
      </Button>
    </span>
  )
