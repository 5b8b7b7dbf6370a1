import { colour, type } from '../ui/theme.ts'

/** Says of a form that it holds what somebody typed before the page was loaded. */
export const DraftNotice = ({ isShown }: { isShown: boolean }) => (
  <p role="status" css={{ color: colour.soft, fontSize: type.small, ':empty': { display: 'none' } }}>
    {isShown && 'You typed this before. It is not saved yet.'}
  </p>
)
