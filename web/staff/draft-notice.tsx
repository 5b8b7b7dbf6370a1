import { colour, type } from '../ui/theme.ts'

/** Says of a form that it holds what somebody typed before the page was loaded, and that it is not `done` yet. */
export const DraftNotice = ({ isShown, done = 'saved' }: { isShown: boolean; done?: 'saved' | 'sent' | 'added' }) => (
  <p role="status" css={{ color: colour.soft, fontSize: type.small, ':empty': { display: 'none' } }}>
    {isShown && `You typed this before. It is not ${done} yet.`}
  </p>
)
