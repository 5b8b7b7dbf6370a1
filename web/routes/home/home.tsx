import { PublicPage } from '../../ui/public-page.tsx'
import { Contact } from './contact.tsx'
import { FinalCall } from './final-call.tsx'
import { Hero } from './hero.tsx'
import { People } from './people.tsx'
import { Portfolio } from './portfolio.tsx'
import { Pricing } from './pricing.tsx'
import { Questions } from './questions.tsx'
import { Race } from './race.tsx'
import { Reviews } from './reviews.tsx'
import { Services } from './services.tsx'
import { UrgencyBanner } from './urgency-banner.tsx'

export const Home = () => (
  <PublicPage atHome>
    <UrgencyBanner />
    <Hero />
    <Services />
    <Race />
    <Portfolio />
    <Reviews />
    <Pricing />
    <Questions />
    <People />
    <FinalCall />
    <Contact />
  </PublicPage>
)
